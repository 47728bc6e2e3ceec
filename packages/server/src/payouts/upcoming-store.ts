import { HOLD_REASON } from '../commissions/commission-state.ts';
import type { Queryable } from '../db/db.ts';
import { type Sum, toSum } from '../db/lists/sum.ts';
import { findEarnings } from './earnings-store.ts';

/** What the next payouts of a currency will contain. */
export type Upcoming = {
  currency: string;
  payableCents: Sum;
  carriedCents: Sum;
  inPayoutsCents: Sum;
  inReviewCents: Sum;
  /** What leaves its hold on each day, in UTC. */
  approvals: { on: string; cents: Sum }[];
  laterCents: Sum;
};

const MAX_DAYS = 12;

// Only commissions on hold are read: `commissions_pending` holds exactly them. The days are numbered for each currency, and
// those beyond the last one that is shown are added up.
const LIST_HOLDS = `
  with days as (
    select currency, ${HOLD_REASON} is not null as is_in_review, (approve_after at time zone 'utc')::date as day,
      sum(commission_cents - deducted_cents) as cents
    from commissions m
    where program_id = $1 and stage = 'pending' and reversal <> 'full' and ($2::bigint is null or partner_id = $2)
    group by 1, 2, 3
  ), numbered as (
    select *, row_number() over (partition by currency, is_in_review order by day) as number from days
  )
  select currency, is_in_review as "isInReview",
    case when is_in_review or number > $3 then null else to_char(day, 'YYYY-MM-DD') end as "on", sum(cents)::text as cents
  from numbered group by 1, 2, 3 order by 1, 3 nulls last`;

type Hold = { currency: string; isInReview: boolean; on: string | null; cents: string };

/** What is payable now and when commissions on hold are approved, by currency. */
export async function listUpcoming(db: Queryable, programId: number, partnerId: number | null): Promise<Upcoming[]> {
  const [earnings, holds] = await Promise.all([
    findEarnings(db, programId, partnerId),
    db.query<Hold>(LIST_HOLDS, [programId, partnerId, MAX_DAYS]),
  ]);
  return earnings.map(({ currency, payableCents, carriedCents, inPayoutsCents }) => {
    const own = holds.filter((hold) => hold.currency === currency);
    const sumOf = (isInReview: boolean) =>
      toSum(own.find((hold) => hold.on === null && hold.isInReview === isInReview)?.cents ?? '0');
    return {
      currency,
      payableCents,
      carriedCents,
      inPayoutsCents,
      inReviewCents: sumOf(true),
      approvals: own.flatMap(({ on, cents }) => (on === null ? [] : [{ on, cents: toSum(cents) }])),
      laterCents: sumOf(false),
    };
  });
}
