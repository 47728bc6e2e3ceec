import type { Queryable } from '../db/db.ts';
import { type Sum, toSum } from '../db/lists/sum.ts';

export type Earnings = {
  currency: string;
  pendingCents: Sum;
  approvedCents: Sum;
  inPayoutsCents: Sum;
  paidCents: Sum;
  reversedCents: Sum;
  carriedCents: Sum;
  payableCents: Sum;
};

type EarningsSum = Exclude<keyof Earnings, 'currency'>;

// A negative balance of one partner is never offset against what another partner is owed.
const FIND_EARNINGS = `
  with earned as (
    select partner_id, currency,
      coalesce(sum(commission_cents - deducted_cents) filter (where stage = 'pending'), 0) as pending,
      sum(greatest(due_cents, 0)) as approved, sum(least(due_cents, 0)) as carried,
      coalesce(sum(deducted_cents) filter (where stage <> 'rejected'), 0) as reversed
    from commissions where program_id = $1 and ($2::bigint is null or partner_id = $2)
    group by 1, 2
  ), parts as (
    select currency, sum(pending) as pending, sum(approved) as approved, 0 as in_payouts, 0 as paid,
      sum(reversed) as reversed, sum(carried) as carried, sum(greatest(approved + carried, 0)) as payable
    from earned group by 1
    union all
    select currency, 0, 0, coalesce(sum(amount_cents) filter (where status in ('open', 'sent')), 0),
      coalesce(sum(amount_cents) filter (where status = 'paid'), 0), 0, 0, 0
    from payouts where program_id = $1 and ($2::bigint is null or partner_id = $2)
    group by 1
  )
  select currency, sum(pending)::text as "pendingCents", sum(approved)::text as "approvedCents",
    sum(in_payouts)::text as "inPayoutsCents", sum(paid)::text as "paidCents",
    sum(reversed)::text as "reversedCents", sum(carried)::text as "carriedCents",
    sum(payable)::text as "payableCents"
  from parts group by 1 order by 1`;

export async function findEarnings(db: Queryable, programId: number, partnerId: number | null): Promise<Earnings[]> {
  const rows = await db.query<{ currency: string } & Record<EarningsSum, string>>(FIND_EARNINGS, [
    programId,
    partnerId,
  ]);
  return rows.map((row) => ({
    currency: row.currency,
    pendingCents: toSum(row.pendingCents),
    approvedCents: toSum(row.approvedCents),
    inPayoutsCents: toSum(row.inPayoutsCents),
    paidCents: toSum(row.paidCents),
    reversedCents: toSum(row.reversedCents),
    carriedCents: toSum(row.carriedCents),
    payableCents: toSum(row.payableCents),
  }));
}
