import type { Queryable } from '../db/db.ts';
import { wholeDays } from './performance.ts';

export type Grouping = 'total' | 'day' | 'partner' | 'link';

/** A part of what happened under one value of the grouping; money by currency. Clicks have a row of their own. */
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

const WHOLE_DAYS = `program_id = $1 and day >= ${utcDay('$7::timestamptz')} and day < ${utcDay('$8::timestamptz')}`;
const PART = 'partner_id, link_id';
const ALL_PARTS = 'null::bigint as partner_id, null::bigint as link_id';

// Clicks come from roll-ups and what is not folded in yet, never from the clicks themselves: whole days ($7 to $8) by day,
// the rest of the period by hour.
const countedClicks = (ofDays: string) => `
  ${ofDays} where ${WHOLE_DAYS}
  union all
  select ${PART}, ${utcDay('hour')}, clicks from click_hours where program_id = $1 and hour >= $2 and hour < $7
  union all
  select ${PART}, ${utcDay('hour')}, clicks from click_hours where program_id = $1 and hour >= $8 and hour < $3
  union all
  select ${PART}, ${utcDay('hour')}, clicks from click_deltas where program_id = $1 and hour >= $2 and hour < $3`;

const RESULTS = 'currency, leads, first_sales, sales, revenue_cents, refunded_cents, commission_cents';

// Whole days of leads and sales come from roll-ups too, the rest of the period from the rows.
const countedResults = (ofDays: string) => `
  ${ofDays} where ${WHOLE_DAYS}
  union all
  select ${PART}, day, ${RESULTS} from result_deltas where ${WHOLE_DAYS}
  union all
  select ${PART}, ${utcDay('at')}, ${RESULTS} from results where program_id = $1 and at >= $2 and at < $7
  union all
  select ${PART}, ${utcDay('at')}, ${RESULTS} from results where program_id = $1 and at >= $8 and at < $3`;

/** What is counted of a program as a whole, and by its partners and links. */
const COUNTED = {
  whole: {
    clicks: countedClicks(`select ${ALL_PARTS}, day, clicks from program_days`),
    results: countedResults(`select ${ALL_PARTS}, day, ${RESULTS} from program_days`),
  },
  parts: {
    clicks: countedClicks(`select ${PART}, day, clicks from click_days`),
    results: countedResults(`select ${PART}, day, ${RESULTS} from result_days`),
  },
};

const OF_PART = '($4::bigint is null or t.partner_id = $4) and ($5::bigint is null or t.link_id = $5)';

const statement = (grouping: Grouping, isWhole: boolean) => {
  const { by, told } = KEYS[grouping];
  const counted = isWhole ? COUNTED.whole : COUNTED.parts;
  return `
  with clicks as (
    select ${by} as key, sum(clicks::int) as clicks from (${counted.clicks}) t where ${OF_PART} group by 1
  ), results as (
    select ${by} as key, currency, sum(leads) as leads, sum(first_sales) as first_sales, sum(sales) as sales,
      sum(revenue_cents)::bigint as revenue_cents, sum(refunded_cents)::bigint as refunded_cents,
      sum(commission_cents)::bigint as commission_cents
    from (${counted.results}) t where ${OF_PART} group by 1, 2
  ), both_kinds as (
    select key, null::text as currency, clicks, 0 as leads, 0 as first_sales, 0 as sales, 0 as revenue_cents,
      0 as refunded_cents, 0 as commission_cents
    from clicks
    union all
    select key, currency, 0, leads, first_sales, sales, revenue_cents, refunded_cents, commission_cents from results
  ), ranked as (
    select *, dense_rank() over (order by key_sales desc, key_clicks desc, key desc) as place
    from (
      select *, sum(sales) over (partition by key) as key_sales, sum(clicks) over (partition by key) as key_clicks
      from both_kinds where key is not null) b
  )
  select ${told} as key, currency, clicks, leads, first_sales as "firstSales", sales, revenue_cents as "revenueCents",
    refunded_cents as "refundedCents", commission_cents as "commissionCents"
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
  const isWhole = partnerId === null && linkId === null && (grouping === 'day' || grouping === 'total');
  return db.query<PerformanceRow>(statement(grouping, isWhole), [
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
