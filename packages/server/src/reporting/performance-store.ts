import type { Queryable } from '../db/db.ts';
import { wholeDays } from './performance.ts';

export type Grouping = 'total' | 'day' | 'partner' | 'link';

/** What happened under one value of the grouping; money by currency. */
export type PerformanceRow = {
  key: string;
  clicks: number;
  leads: number;
  /** Customers who bought for the first time. */
  firstSales: number;
  sales: number;
  currency: string | null;
  revenueCents: number;
  refundedCents: number;
  commissionCents: number;
};

const utcDay = (column: string) => `(${column} at time zone 'UTC')::date`;

/** What is counted is grouped by this, and the key is told as that. */
const KEYS = {
  total: { by: `'total'`, told: 'key' },
  day: { by: 'day', told: `to_char(key, 'YYYY-MM-DD')` },
  partner: { by: 'partner_id', told: 'key::text' },
  link: { by: 'link_id', told: 'key::text' },
};

// Clicks come from roll-ups and what is not folded in yet, never from the clicks themselves: whole days ($7 to $8) by day,
// the rest of the period by hour.
const COUNTED_CLICKS = `
  select partner_id, link_id, day, clicks from click_days
  where program_id = $1 and day >= ${utcDay('$7::timestamptz')} and day < ${utcDay('$8::timestamptz')}
  union all
  select partner_id, link_id, ${utcDay('hour')}, clicks from click_hours
  where program_id = $1 and hour >= $2 and hour < $7
  union all
  select partner_id, link_id, ${utcDay('hour')}, clicks from click_hours
  where program_id = $1 and hour >= $8 and hour < $3
  union all
  select partner_id, link_id, ${utcDay('hour')}, clicks from click_deltas
  where program_id = $1 and hour >= $2 and hour < $3`;

const RESULTS = 'currency, leads, first_sales, sales, revenue_cents, refunded_cents, commission_cents';
const resultsOfDays = (table: string) => `
  select partner_id, link_id, day, ${RESULTS} from ${table}
  where program_id = $1 and day >= ${utcDay('$7::timestamptz')} and day < ${utcDay('$8::timestamptz')}`;
const resultsOfRows = (from: string, to: string) => `
  select partner_id, link_id, ${utcDay('at')}, ${RESULTS} from results
  where program_id = $1 and at >= ${from} and at < ${to}`;

// Whole days of leads and sales come from roll-ups too, the rest of the period from the rows.
const COUNTED_RESULTS = [
  resultsOfDays('result_days'),
  resultsOfDays('result_deltas'),
  resultsOfRows('$2', '$7'),
  resultsOfRows('$8', '$3'),
].join(' union all ');

const OF_PART = '($4::bigint is null or t.partner_id = $4) and ($5::bigint is null or t.link_id = $5)';

const statement = (grouping: Grouping) => {
  const { by, told } = KEYS[grouping];
  return `
  with parts as (
    select ${by} as key, null::text as currency, clicks, 0 as leads, 0 as first_sales, 0 as sales, 0 as revenue_cents,
      0 as refunded_cents, 0 as commission_cents
    from (${COUNTED_CLICKS}) t where ${OF_PART}
    union all
    select ${by}, currency, 0, leads, first_sales, sales, revenue_cents, refunded_cents, commission_cents
    from (${COUNTED_RESULTS}) t where ${OF_PART}
  ), sums as (
    select key, currency, sum(clicks)::bigint as clicks, sum(leads)::bigint as leads,
      sum(first_sales)::bigint as "firstSales", sum(sales)::bigint as sales,
      sum(revenue_cents)::bigint as "revenueCents", sum(refunded_cents)::bigint as "refundedCents",
      sum(commission_cents)::bigint as "commissionCents"
    from parts where key is not null group by key, currency
  ), ranked as (
    select *, dense_rank() over (order by key_sales desc, key_clicks desc, key desc) as place
    from (
      select *, sum(sales) over (partition by key) as key_sales, sum(clicks) over (partition by key) as key_clicks
      from sums) s
  )
  select ${told} as key, currency, clicks, leads, "firstSales", sales, "revenueCents", "refundedCents", "commissionCents"
  from ranked where $6::int is null or place <= $6 order by ranked.key`;
};

export type Period = { from: Date; to: Date };
/** Whose numbers are meant: of one partner, of one link, or of the whole program. */
export type Part = { partnerId: number | null; linkId: number | null };

export function findPerformance(
  db: Queryable,
  programId: number,
  { from, to }: Period,
  { partnerId, linkId }: Part,
  grouping: Grouping,
  maxGroups: number | null = null,
): Promise<PerformanceRow[]> {
  const days = wholeDays(from, to);
  return db.query<PerformanceRow>(statement(grouping), [
    programId,
    from,
    to,
    partnerId,
    linkId,
    maxGroups,
    days.from,
    days.to,
  ]);
}

export async function findGroupNames(
  db: Queryable,
  programId: number,
  grouping: 'partner' | 'link',
  ids: number[],
): Promise<Map<number, string>> {
  const sql =
    grouping === 'partner'
      ? `select p.id, p.name from partners p join memberships m on m.partner_id = p.id
         where m.program_id = $1 and p.id = any ($2::bigint[])`
      : 'select id, short_link as name from links where program_id = $1 and id = any ($2::bigint[])';
  const rows = await db.query<{ id: number; name: string }>(sql, [programId, ids]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
