import type { Queryable } from '../db/db.ts';

export type Balance = {
  partnerId: number;
  partnerName: string;
  payoutDetails: string | null;
  accountChangedAt: Date | null;
  currency: string;
  approvedCents: number;
  carriedCents: number;
  pendingCents: number;
  payableCents: number;
};

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
    b.approved::bigint as "approvedCents", b.carried::bigint as "carriedCents", b.pending::bigint as "pendingCents",
    greatest(b.approved + b.carried, 0)::bigint as "payableCents"
  from balances b join partners p on p.id = b.partner_id left join users u on u.id = p.user_id
  order by b.partner_id, b.currency`;

export function listBalances(db: Queryable, programId: number, filter: BalanceFilter): Promise<Balance[]> {
  return db.query<Balance>(LIST_BALANCES, [
    programId,
    filter.partnerId,
    filter.after?.partnerId ?? null,
    filter.after?.currency ?? null,
    filter.limit,
  ]);
}

export type Earnings = {
  currency: string;
  pendingCents: number;
  approvedCents: number;
  inPayoutsCents: number;
  paidCents: number;
  reversedCents: number;
  carriedCents: number;
  payableCents: number;
};

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
  select currency, sum(pending)::bigint as "pendingCents", sum(approved)::bigint as "approvedCents",
    sum(in_payouts)::bigint as "inPayoutsCents", sum(paid)::bigint as "paidCents",
    sum(reversed)::bigint as "reversedCents", sum(carried)::bigint as "carriedCents",
    sum(payable)::bigint as "payableCents"
  from parts group by 1 order by 1`;

export function findEarnings(db: Queryable, programId: number, partnerId: number | null): Promise<Earnings[]> {
  return db.query<Earnings>(FIND_EARNINGS, [programId, partnerId]);
}
