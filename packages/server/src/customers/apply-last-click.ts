import type { Queryable } from '../db/db.ts';
import type { Program } from '../programs/program.ts';
import { type LastClick, lastClickOf } from '../terms/credited-click.ts';
import { currentTerms } from '../terms/terms.ts';
import { findTermsOfPayments } from '../terms/terms-store.ts';
import { type FoundClick, listVisitorClicks } from '../terms/visitor-click-store.ts';
import { updateCreditedClicks } from './attribution-store.ts';
import { type Customer, isUndecided } from './customer.ts';
import { belongToPartner } from './self-referral.ts';

/** A customer who signs up or buys for the first time. */
export type Converting = {
  program: Program;
  /** As they were before. */
  customer: Customer;
  at: Date;
  /** Of the payer: see `hashEmailIdentity`. */
  emailIdentityHash?: string | undefined;
};

/**
 * The last clicks of customers whose first conversion this is, by customer. A click after a signup does not count, even if only a
 * page has reported the signup.
 */
export async function findLastClicks(
  db: Queryable,
  converting: Converting[],
  emailSecret: string,
): Promise<Map<number, LastClick>> {
  const visitors = converting.map(({ program, customer: { id, clickedAt, leadAt }, at }) => ({
    customerId: id,
    programId: program.id,
    firstAt: clickedAt ?? at,
    until: leadAt && leadAt < at ? leadAt : at,
  }));
  const found = await listVisitorClicks(db, visitors);
  return new Map(
    converting.map(({ emailIdentityHash }, index) => {
      const { customerId, firstAt } = visitors[index]!;
      const isOwn = ownClicks(emailSecret, emailIdentityHash);
      const clicks = (found.get(customerId) ?? []).map((click) => ({ ...click, isOwn: isOwn(click) }));
      return [customerId, lastClickOf(clicks, firstAt)];
    }),
  );
}

/** Recognizes clicks of partners on their own links, by the address of the visitor or of the payer. */
export function ownClicks(emailSecret: string, payer?: string): (click: FoundClick) => boolean {
  return ({ emailIdentityHash, partnerEmail, accountEmail }) =>
    belongToPartner([emailIdentityHash, payer], [partnerEmail, accountEmail], emailSecret);
}

/**
 * Credits the last clicks of customers who sign up, where the terms of that time say so, and fixes that. The transaction has locked
 * them. Programs that credit first clicks cost no statement.
 */
export async function creditLastClicks(
  ctx: { now: () => Date; emailSecret: string },
  tx: Queryable,
  converting: Converting[],
): Promise<Map<number, LastClick>> {
  const now = ctx.now();
  const open = converting.filter(({ program, customer, at }) => {
    const terms = currentTerms(program, now);
    return isUndecided(customer) && (terms.attribution === 'last' || at < terms.since);
  });
  if (open.length === 0) return new Map();
  const terms = await findTermsOfPayments(
    tx,
    open.map(({ program, at }) => ({ program, paidAt: at })),
    now,
  );
  const deciding = open.filter((_conversion, index) => terms[index]!.attribution === 'last');
  const last = await findLastClicks(tx, deciding, ctx.emailSecret);
  await updateCreditedClicks(
    tx,
    [...last].flatMap(([customerId, { click }]) => (click ? [{ customerId, click }] : [])),
  );
  return last;
}

/** The customer as of the click that is credited. */
export function withLastClick(customer: Customer, last: LastClick | undefined): Customer {
  if (!last?.click) return customer;
  const { linkId, partnerId, membershipId, clickedAt: creditedClickAt } = last.click;
  return { ...customer, linkId, partnerId, membershipId, creditedClickAt };
}

/** Which click is credited, among the facts of a decision. */
export function lastClickFacts(customer: Customer | null, last: LastClick | undefined): Record<string, unknown> {
  const creditedAt = last?.click?.clickedAt ?? customer?.creditedClickAt ?? undefined;
  if (!last && !creditedAt) return {};
  return { attribution: 'last', credited_click_at: creditedAt, later_clicks: last?.doubt ?? undefined };
}
