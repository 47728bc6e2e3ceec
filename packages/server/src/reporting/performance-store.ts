import type { Queryable } from '../db/db.ts';
import { RESULTS } from '../db/tables.ts';
import { type PerformanceRow, wholeDays } from './performance.ts';

export type Grouping = 'total' | 'day' | 'partner' | 'link';

const utcDay = (column: string) => `(${column} at time zone 'UTC')::date`;

/** What is grouped by, where `day` is the day of a row; and how a key is told. */
const KEYS = {
  total: { by: () => `'total'`, told: 'key' },
  day: { by: (day: string) => day, told: `to_char(key, 'YYYY-MM-DD')` },
  partner: { by: () => 'partner_id', told: 'key::text' },
  link: { by: () => 'link_id', told: 'key::text' },
};

const WHOLE_DAYS = `day >= ${utcDay('$7::timestamptz')} and day < ${utcDay('$8::timestamptz')}`;
const OF_PART = '($4::bigint is null or partner_id = $4) and ($5::bigint is null or link_id = $5)';

/** What of a table is counted: each is summed up by itself, so that the sums of all of them are few rows. */
type Source = { from: string; day: string; where: string };

const clicksOf = (grouping: Grouping, { from, day, where }: Source) => `
  select ${KEYS[grouping].by(day)} as key, sum(clicks::int) as clicks
  from ${from} where program_id = $1 and ${where} group by 1`;

const resultsOf = (grouping: Grouping, { from, day, where }: Source) => `
  select ${KEYS[grouping].by(day)} as key, currency, ${RESULTS.map((column) => `sum(${column}) as ${column}`).join(', ')}
  from ${from} where program_id = $1 and ${where} group by 1, 2`;

/** Whole days ($7 to $8) come from roll-ups; those of a program as a whole have no parts. */
const daysOf = (from: string): Source => ({
  from,
  day: 'day',
  where: from === 'program_days' ? WHOLE_DAYS : `${WHOLE_DAYS} and ${OF_PART}`,
});
const between = (from: string, time: string, since: string, until: string): Source => ({
  from,
  day: utcDay(time),
  where: `${time} >= ${since} and ${time} < ${until} and ${OF_PART}`,
});

// Clicks are never counted from the clicks themselves: the rest of the period comes by hour, and from what is not folded in yet.
const REST_OF_CLICKS = [
  between('click_hours', 'hour', '$2', '$7'),
  between('click_hours', 'hour', '$8', '$3'),
  between('click_deltas', 'hour', '$2', '$3'),
];

// The rest of leads and sales comes from their rows.
const REST_OF_RESULTS = [
  daysOf('result_deltas'),
  between('results', 'at', '$2', '$7'),
  between('results', 'at', '$8', '$3'),
];

const statement = (grouping: Grouping, isWhole: boolean) => {
  const clicks = [daysOf(isWhole ? 'program_days' : 'click_days'), ...REST_OF_CLICKS];
  const results = [daysOf(isWhole ? 'program_days' : 'result_days'), ...REST_OF_RESULTS];
  return `
  with clicks as (
    select key, sum(clicks)::bigint as clicks
    from (${clicks.map((source) => clicksOf(grouping, source)).join(' union all ')}) c group by 1
  ), results as (
    select key, currency, ${RESULTS.map((column) => `sum(${column})::bigint as ${column}`).join(', ')}
    from (${results.map((source) => resultsOf(grouping, source)).join(' union all ')}) r group by 1, 2
  ), both_kinds as (
    select key, null::text as currency, clicks, ${RESULTS.map((column) => `0 as ${column}`).join(', ')} from clicks
    union all
    select key, currency, 0, ${RESULTS.join(', ')} from results
  ), ranked as (
    select *, dense_rank() over (order by key_sales desc, key_clicks desc, key desc) as place
    from (
      select *, sum(sales) over (partition by key) as key_sales, sum(clicks) over (partition by key) as key_clicks
      from both_kinds where key is not null) b
  )
  select ${KEYS[grouping].told} as key, currency, clicks, leads, first_sales as "firstSales", sales,
    revenue_cents as "revenueCents", refunded_cents as "refundedCents", commission_cents as "commissionCents"
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
