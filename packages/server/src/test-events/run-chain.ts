import { CHAINS_PER_HOUR, errors } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import { recordClick } from '../clicks/record-click.ts';
import { formatClickId } from '../customers/click-id.ts';
import { findCustomerPartner } from '../customers/customer-store.ts';
import type { Queryable } from '../db/db.ts';
import { recordLead } from '../leads/record-lead.ts';
import { ensureTestFixture } from '../partners/test-fixture-store.ts';
import type { Program } from '../programs/program.ts';
import { recordTestSale } from '../sales/record-test-sale.ts';
import type { TrackingContext } from '../tracking-context.ts';
import { takeChainRun } from './chain-store.ts';

/** Takes one of the program's runs for this hour. */
async function takeRun(tx: Queryable, program: Program, actor: Actor, now: Date): Promise<void> {
  const { id: programId, workspaceId, name } = program;
  const run = await takeChainRun(tx, programId, CHAINS_PER_HOUR, now);
  if (!run.taken) throw errors.tooManyChains(run.retryAfterSeconds, CHAINS_PER_HOUR);
  const subject = { type: 'program', id: programId, name } as const;
  await insertAuditEvent(tx, { workspaceId, programId, actor, action: 'program.test_chain_run', subject }, now);
}

type Verdict = 'attributed' | 'unattributed' | 'wrong_partner' | 'pending';

export type ChainOutcome = {
  shortCode: string;
  customerKey: string;
  verdict: { click: Verdict; lead: Verdict; sale: Verdict };
  attributed: boolean;
};

const TEST_SALE_CENTS = 4_900;

/** Sends a click, a lead and a sale through the real tracking code, with the program's own test partner and link. */
export async function runChain(
  ctx: TrackingContext,
  program: Program,
  { requestId, nextTestId, actor }: { requestId: string; nextTestId: () => string; actor: Actor },
): Promise<ChainOutcome> {
  const { fixture } = await ensureTestFixture(ctx.db, program, ctx.now());
  // The notification about the change may arrive only after the click.
  ctx.lookup.forgetLink(fixture.shortLink);
  await ctx.db.transaction((tx) => takeRun(tx, program, actor, ctx.now()));

  const affiliateUrl = `https://${program.domain}/?aff=${fixture.shortLink}`;
  const click = await recordClick(ctx, {
    aff: fixture.shortLink,
    origin: undefined,
    existingClickId: undefined,
    isTest: true,
    page: { affiliateUrl },
  });
  const partnerId = await findCustomerPartner(ctx.db, click.clickId.customerId);
  const clickVerdict: Verdict =
    partnerId === null ? 'unattributed' : partnerId === fixture.partnerId ? 'attributed' : 'wrong_partner';

  const customerKey = `svc_test_${click.clickId.customerId}`;
  const clickId = formatClickId(click.clickId);
  const event = { isTest: true, requestId, clickId, customerKey };
  const lead = await recordLead(ctx, { mode: 'server', program, isSynthetic: true }, { ...event, email: undefined });
  const newSale = {
    ...event,
    clickId: undefined,
    amountCents: TEST_SALE_CENTS,
    currency: program.currency,
    saleType: 'payment',
    isRecurring: false,
    source: 'synthetic',
  } as const;
  const sale = await recordTestSale(ctx, program, newSale, nextTestId);
  const verdict = {
    click: clickVerdict,
    lead: lead.is === 'recorded' ? clickVerdict : 'pending',
    sale: sale.is !== 'recorded' ? 'pending' : sale.attributed ? clickVerdict : 'unattributed',
  } satisfies ChainOutcome['verdict'];
  return {
    shortCode: fixture.shortLink,
    customerKey,
    verdict,
    attributed: Object.values(verdict).every((each) => each === 'attributed'),
  };
}
