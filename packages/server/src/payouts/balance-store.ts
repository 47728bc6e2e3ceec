import type { Queryable } from '../db/db.ts';
import { type Sum, toSum } from '../db/sum.ts';

export type Balance = {
  partnerId: number;
  partnerName: string;
  payoutDetails: string | null;
  accountChangedAt: Date | null;
  currency: string;
  approvedCents: Sum;
  carriedCents: Sum;
  pendingCents: Sum;
  payableCents: Sum;
};

type BalanceSum = 'approvedCents' | 'carriedCents' | 'pendingCents' | 'payableCents';
/** Sums come as text, because they may be larger than the largest integer of the database. */
type Texts<Row, Name extends keyof Row> = Omit<Row, Name> & Record<Name, string>;

export type BalanceFilter = {
  partnerId: number | null;
  after: { partnerId: number; currency: string } | null;
  limit: number;
};

// Two partial indexes hold exactly the rows needed: what is due, and what is on hold.
const LIST_BALANCES = `
  with parts as (
    select partner_id, currency, sum(greatest(due_cents, 0)) as approved, sum(least(due_cents, 0)) as carried,
      0 as pending
    from commissions
    where program_id = $1 and due_cents <> 0 and ($2::bigint is null or partner_id = $2)
      and ($3::bigint is null or (partner_id, currency) > ($3, $4::text))
    group by 1, 2
    union all
    select partner_id, currency, 0, 0, sum(commission_cents - deducted_cents)
    from commissions
    where program_id = $1 and stage = 'pending' and ($2::bigint is null or partner_id = $2)
      and ($3::bigint is null or (partner_id, currency) > ($3, $4::text))
    group by 1, 2
  ), balances as (
    select partner_id, currency, sum(approved) as approved, sum(carried) as carried, sum(pending) as pending
    from parts group by 1, 2
    having sum(approved) <> 0 or sum(carried) <> 0 or sum(pending) <> 0
    order by 1, 2 limit $5
  )
  select b.partner_id as "partnerId", p.name as "partnerName", u.payout_details as "payoutDetails",
    p.account_changed_at as "accountChangedAt", b.currency,
    b.approved::text as "approvedCents", b.carried::text as "carriedCents", b.pending::text as "pendingCents",
    greatest(b.approved + b.carried, 0)::text as "payableCents"
  from balances b join partners p on p.id = b.partner_id left join users u on u.id = p.user_id
  order by b.partner_id, b.currency`;

export async function listBalances(db: Queryable, programId: number, filter: BalanceFilter): Promise<Balance[]> {
  const rows = await db.query<Texts<Balance, BalanceSum>>(LIST_BALANCES, [
    programId,
    filter.partnerId,
    filter.after?.partnerId ?? null,
    filter.after?.currency ?? null,
    filter.limit,
  ]);
  return rows.map((row) => ({
    ...row,
    approvedCents: toSum(row.approvedCents),
    carriedCents: toSum(row.carriedCents),
    pendingCents: toSum(row.pendingCents),
    payableCents: toSum(row.payableCents),
  }));
}

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
    select currency, 0, 0, coalesce(sum(amount_cents) filter (where status = 'open'), 0),
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
  const rows = await db.query<Texts<Earnings, EarningsSum>>(FIND_EARNINGS, [programId, partnerId]);
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
