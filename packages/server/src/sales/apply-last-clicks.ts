import type { Context } from '../context.ts';
import { type Converting, findLastClicks, withLastClick } from '../customers/apply-last-click.ts';
import { isUndecided } from '../customers/customer.ts';
import { belongToPartner } from '../customers/self-referral.ts';
import type { LastClick } from '../terms/credited-click.ts';
import type { Terms } from '../terms/terms.ts';
import type { SaleAttempt, SaleFacts } from './sale.ts';
import { findStandings, type Standing } from './sale-facts-store.ts';

type SalesContext = Context & { emailSecret: string };

/**
 * The facts of sales with the partners of last clicks, where the terms say so and the sale is the customer's first conversion. It is
 * fixed by the transaction that writes the sale. Of several sales of a customer, the first decides, and the others have to wait
 * for it. Programs that credit first clicks cost no statement.
 */
export async function creditLastClicks(
  ctx: SalesContext,
  attempts: SaleAttempt[],
  facts: SaleFacts[],
  terms: Terms[],
): Promise<SaleFacts[]> {
  const now = ctx.now();
  const deciding = new Map<number, Converting>();
  for (const [index, { program, sale }] of attempts.entries()) {
    const { customer } = facts[index]!;
    if (!customer || sale.isTest || terms[index]!.attribution !== 'last' || !isUndecided(customer)) continue;
    const { paidAt: at = now, emailIdentityHash } = sale;
    if (!deciding.has(customer.id)) deciding.set(customer.id, { program, customer, at, emailIdentityHash });
  }
  if (deciding.size === 0) return facts;
  const last = await findLastClicks(ctx.db, [...deciding.values()], ctx.emailSecret);
  const decided = facts.map(({ customer }, index) =>
    customer && terms[index]!.attribution === 'last' ? last.get(customer.id) : undefined,
  );
  const standings = await findStandings(
    ctx.db,
    attempts.map(({ program, sale }, index) => ({
      programId: program.id,
      partnerId: decided[index]?.click?.partnerId ?? null,
      paidAt: sale.paidAt,
    })),
  );
  return facts.map((known, index) => {
    const lastClick = decided[index];
    return lastClick ? creditedFacts(ctx, attempts[index]!, { ...known, lastClick }, standings[index] ?? null) : known;
  });
}

function creditedFacts(
  { emailSecret }: SalesContext,
  { sale }: SaleAttempt,
  facts: SaleFacts & { lastClick: LastClick },
  standing: Standing | null,
): SaleFacts {
  if (!facts.customer || !standing) return facts;
  const { partnerEmails, ...stands } = standing;
  const buyer = [facts.emailIdentityHash, sale.emailIdentityHash];
  return {
    ...facts,
    ...stands,
    customer: withLastClick(facts.customer, facts.lastClick),
    partnerExists: true,
    isSelfReferral: belongToPartner(buyer, partnerEmails, emailSecret),
  };
}
