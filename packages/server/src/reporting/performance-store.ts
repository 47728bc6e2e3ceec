import type { Queryable } from '../db/db.ts';
import { toSum } from '../db/lists/sum.ts';
import { RESULT_COLUMNS } from '../rollups/result-rollup-store.ts';
import { type MoneySums, type PerformanceRow, wholeDays } from './performance.ts';

export type Grouping = 'total' | 'day' | 'partner' | 'link';
export type Period = { from: Date; to: Date };
/** Whose numbers to report: one partner's, one link's, or the whole program's. */
export type Scope = { partnerId: number | null; linkId: number | null };

// Clicks and results (leads, sales and money) are summed from several sources, so that no report reads every row of its
// period. Whole UTC days come from daily rollups. The partial days at both ends come from finer sources: hourly rollups for
// clicks, and for results the view `results`, which reads the rows themselves. Deltas are changes that are not rolled up yet.
//
//             partial day    whole days     partial day    not rolled up yet
//   clicks    click_hours    click_days     click_hours    click_deltas, in the whole period
//   results   results        result_days    results        result_deltas, on whole days
//
// `program_days` has the sums of click_days and result_days over all partners and links. It is read instead of them when
// neither the scope nor the grouping is about a partner or a link.

// The parameters of the statement.
const PROGRAM_ID = '$1';
const FROM = '$2';
const TO = '$3';
const PARTNER_ID = '$4';
const LINK_ID = '$5';
const MAX_GROUPS = '$6';
const WHOLE_DAYS_FROM = '$7';
const WHOLE_DAYS_TO = '$8';

/** The rows of one table that count, and the SQL of the UTC day that each belongs to. */
type Source = { table: string; where: string; day: string };

const utcDay = (time: string) => `(${time} at time zone 'UTC')::date`;

const ON_WHOLE_DAYS = `
  day >= ${utcDay(`${WHOLE_DAYS_FROM}::timestamptz`)} and day < ${utcDay(`${WHOLE_DAYS_TO}::timestamptz`)}`;

const IN_SCOPE = `
  (${PARTNER_ID}::bigint is null or partner_id = ${PARTNER_ID})
  and (${LINK_ID}::bigint is null or link_id = ${LINK_ID})`;

const programDays: Source = { table: 'program_days', where: ON_WHOLE_DAYS, day: 'day' };

const onWholeDays = (table: string): Source => ({ table, where: `${ON_WHOLE_DAYS} and ${IN_SCOPE}`, day: 'day' });

const between = (table: string, time: string, from: string, to: string): Source => ({
  table,
  where: `${time} >= ${from} and ${time} < ${to} and ${IN_SCOPE}`,
  day: utcDay(time),
});

const clickSources = (isWholeProgram: boolean): Source[] => [
  isWholeProgram ? programDays : onWholeDays('click_days'),
  between('click_hours', 'hour', FROM, WHOLE_DAYS_FROM),
  between('click_hours', 'hour', WHOLE_DAYS_TO, TO),
  between('click_deltas', 'hour', FROM, TO),
];

const resultSources = (isWholeProgram: boolean): Source[] => [
  isWholeProgram ? programDays : onWholeDays('result_days'),
  onWholeDays('result_deltas'),
  between('results', 'at', FROM, WHOLE_DAYS_FROM),
  between('results', 'at', WHOLE_DAYS_TO, TO),
];

const GROUP_KEY: Record<Grouping, (source: Source) => string> = {
  total: () => `'total'`,
  day: ({ day }) => day,
  partner: () => 'partner_id',
  link: () => 'link_id',
};

const forEachResult = (sql: (column: string) => string) => RESULT_COLUMNS.map(sql).join(', ');

const sumClicks = (key: string, { table, where }: Source) => `
  select ${key} as key, sum(clicks::int) as clicks
  from ${table} where program_id = ${PROGRAM_ID} and ${where} group by 1`;

const sumResults = (key: string, { table, where }: Source) => `
  select ${key} as key, currency, ${forEachResult((column) => `sum(${column}) as ${column}`)}
  from ${table} where program_id = ${PROGRAM_ID} and ${where} group by 1, 2`;

/** Each source is summed by itself first, so that only a few rows are left to combine and rank. */
function performanceQuery(grouping: Grouping, isWholeProgram: boolean): string {
  const keyOf = GROUP_KEY[grouping];
  const clicks = clickSources(isWholeProgram).map((source) => sumClicks(keyOf(source), source));
  const results = resultSources(isWholeProgram).map((source) => sumResults(keyOf(source), source));
  return `
  with click_sums as (
    select key, sum(clicks)::bigint as clicks from (${clicks.join(' union all ')}) c group by 1
  ), result_sums as (
    select key, currency, ${forEachResult((column) => `sum(${column}) as ${column}`)}
    from (${results.join(' union all ')}) r group by 1, 2
  ), sums as (
    select key, null::text as currency, clicks, ${forEachResult((column) => `0 as ${column}`)} from click_sums
    union all
    select key, currency, 0, ${RESULT_COLUMNS.join(', ')} from result_sums
  ), ranked as (
    select *, dense_rank() over (order by key_sales desc, key_clicks desc, key desc) as rank
    from (
      select *, sum(sales) over (partition by key) as key_sales, sum(clicks) over (partition by key) as key_clicks
      from sums where key is not null) s
  )
  select ${grouping === 'day' ? `to_char(key, 'YYYY-MM-DD')` : 'key::text'} as key, currency, clicks::bigint as clicks,
    leads::bigint as leads, first_sales::bigint as "firstSales", sales::bigint as sales,
    revenue_cents::text as "revenueCents", refunded_cents::text as "refundedCents",
    commission_cents::text as "commissionCents"
  from ranked where ${MAX_GROUPS}::int is null or rank <= ${MAX_GROUPS} order by ranked.key`;
}

/** Sums of money come as text, because they may be larger than the largest integer of the database. */
type RowOfTexts = Omit<PerformanceRow, keyof MoneySums> & Record<keyof MoneySums, string>;

/** The sums of a period by group. With `maxGroups`, only of the groups with the most sales, then the most clicks. */
export async function findPerformance(
  db: Queryable,
  programId: number,
  { from, to }: Period,
  { partnerId, linkId }: Scope,
  grouping: Grouping,
  maxGroups: number | null = null,
): Promise<PerformanceRow[]> {
  const days = wholeDays(from, to);
  const isWholeProgram = partnerId === null && linkId === null && (grouping === 'day' || grouping === 'total');
  const rows = await db.query<RowOfTexts>(performanceQuery(grouping, isWholeProgram), [
    programId,
    from,
    to,
    partnerId,
    linkId,
    maxGroups,
    days.from,
    days.to,
  ]);
  return rows.map((row) => ({
    ...row,
    revenueCents: toSum(row.revenueCents),
    refundedCents: toSum(row.refundedCents),
    commissionCents: toSum(row.commissionCents),
  }));
}

/** The names of partners, or the short links of links, by id. */
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
