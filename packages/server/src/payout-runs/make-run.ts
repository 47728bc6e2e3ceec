import { errors, type LeftOut } from '@svc/contract';
import type { Actor } from '../audit/audit-store.ts';
import { countDuePartners } from '../commissions/payout-coverage-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/db.ts';
import { toSum } from '../db/lists/sum.ts';
import type { Rest } from '../db/rest.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { listPayableMethods } from '../payout-methods/payout-method-store.ts';
import { DAY_MS } from '../time.ts';
import { chooseSlice } from './choose-slice.ts';
import { findPayees, type NamedPayee } from './find-payees.ts';
import { lockPayoutSettings } from './payout-settings-store.ts';
import { prepareRun } from './prepare-run.ts';
import { type BusyContext, restWhileBusy } from './rest-while-busy.ts';
import type { PaidProgram } from './run-audit.ts';
import { findRepeated, findUnprepared, insertUnprepared, type NewOmission, type RunRequest } from './run-store.ts';

/**
 * A run to be prepared: the one that was asked for, or another one that comes before it. Or nobody would be paid, and nothing was
 * written.
 */
export type StartedRun = { is: 'own' | 'other'; id: number } | { is: 'nobody'; leftOut: LeftOut[] };

/**
 * Makes a draft with a payout for every partner and currency that can be paid, and everybody else with a reason. What is in it is
 * in no other payout, even if several people make runs and payouts at the same time. A repetition with the same Idempotency-Key gets
 * the run that its first attempt has started, even if another request or a job has prepared it.
 */
export async function makeRun(
  ctx: Context & BusyContext,
  program: PaidProgram,
  request: RunRequest,
  actor: Actor,
  rest: Rest = restWhileBusy(ctx),
): Promise<{ id: number }> {
  for (;;) {
    const started = await retryOnConflict(() => ctx.db.transaction((tx) => startRun(tx, ctx, program, request, actor)));
    if (started.is === 'nobody') throw errors.nobodyToPay(started.leftOut);
    await rest();
    const isPrepared = await prepareRun(ctx, started.id, rest);
    // What another run has left, or what others have paid in the place of this one, is asked for again.
    if (started.is === 'own' && isPrepared) return { id: started.id };
  }
}

/** Starts a run in a transaction of the caller, who then prepares it. Nothing is taken yet; it is only seen whether anybody would be paid. */
export async function startRun(
  tx: Transaction,
  ctx: Context,
  program: PaidProgram,
  request: RunRequest,
  actor: Actor,
): Promise<StartedRun> {
  const now = ctx.now();
  const { minimumCents, netDays, twoPersons } = await lockPayoutSettings(tx, program.id);
  const own = await findRepeated(tx, program.id, request, new Date(now.getTime() - DAY_MS));
  if (own !== null) return { is: 'own', id: own };
  const other = await findUnprepared(tx, program.id);
  if (other !== null) return { is: 'other', id: other };
  const cutoffAt = request.cutoffAt ?? new Date(now.getTime() - netDays * DAY_MS);
  const { partnerIds, excludedPartnerIds } = request;
  const asked = [...new Set([...(partnerIds ?? []), ...excludedPartnerIds])];
  const payees = await findPayees(tx, program.id, asked, listPayableMethods);
  requireKnown('partner_ids', partnerIds ?? [], payees);
  requireKnown('excluded_partner_ids', excludedPartnerIds, payees);
  const terms = { programId: program.id, cutoffAt, request, minimumCents };
  const leftOut: LeftOut[] = [];
  for (let afterPartnerId = 0; ; ) {
    const slice = await chooseSlice(tx, terms, afterPartnerId, listPayableMethods, now);
    // The first one who is paid is enough to begin.
    if (slice.choice.payouts.length > 0) break;
    leftOut.push(...slice.choice.leftOut.map((each) => named(each, slice.payees)));
    if (slice.isLast) return { is: 'nobody', leftOut };
    afterPartnerId = slice.afterPartnerId;
  }
  const partnersTotal = await countDuePartners(tx, program.id, { cutoffAt, currency: request.currency, partnerIds });
  return { is: 'own', id: await insertUnprepared(tx, { ...terms, twoPersons, actor, partnersTotal }, now) };
}

function requireKnown(field: string, partnerIds: number[], payees: Map<number, NamedPayee>): void {
  const unknown = partnerIds.find((id) => !payees.has(id) || payees.get(id)?.status === null);
  if (unknown !== undefined) throw errors.partnerOfOtherProgram(field, unknown);
}

function named({ partnerId, amountCents, ...omission }: NewOmission, payees: Map<number, NamedPayee>): LeftOut {
  const amount = toSum(amountCents);
  return { partner_id: partnerId, partner_name: payees.get(partnerId)?.name ?? '', amount_cents: amount, ...omission };
}
