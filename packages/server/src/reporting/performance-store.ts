import type { Queryable } from '../db/db.ts';
import { toSum } from '../db/lists/sum.ts';
import { COUNT_COLUMNS, RESULT_COLUMNS, sumOf } from '../rollups/count-store.ts';
import { type MoneySums, type PerformanceRow, wholeDays } from './performance.ts';

export type Grouping = 'total' | 'day' | 'partner' | 'link';
export type Period = { from: Date; to: Date };
/** Whose numbers to report: one partner's, one link's, or the whole program's. */
export type Scope = { partnerId: number | null; linkId: number | null };

// Clicks and results (leads, sales and money) are summed from several sources, so that no report reads every row of its
// period. Whole UTC days come from the counts, by program or by link. The partial days at both ends come from finer sources:
// hours for clicks, and for results the view `results`, which reads the rows themselves. Deltas are not rolled up yet.
//
//             partial day    whole days     partial day    not rolled up yet
//   clicks    click_hours    counts         click_hours    count_deltas, in the whole period
//   results   results        counts         results        count_deltas, on whole days

// The parameters of the statement.
const PROGRAM_ID = '$1';
const FROM = '$2';
const TO = '$3';
const PARTNER_ID = '$4';
const LINK_ID = '$5';
const MAX_GROUPS = '$6';
const WHOLE_DAYS_FROM = '$7';
const WHOLE_DAYS_TO = '$8';

/** The rows of one table that count, what of them counts, and the SQL of the UTC day that each belongs to. */
type Source = { table: string; counts: readonly string[]; where: string; day: string };

const utcDay = (time: string) => `(${time} at time zone 'UTC')::date`;

const IN_SCOPE = `
  (${PARTNER_ID}::bigint is null or partner_id = ${PARTNER_ID})
  and (${LINK_ID}::bigint is null or link_id = ${LINK_ID})`;

const between = (table: string, time: string, counts: readonly string[], from: string, to: string): Source => ({
  table,
  counts,
  where: `${time} >= ${from} and ${time} < ${to} and ${IN_SCOPE}`,
  day: utcDay(time),
});

const wholeDaysOf = (span: 'program_day' | 'link_day'): Source => ({
  table: 'counts',
  counts: COUNT_COLUMNS,
  where: `span = '${span}' and day >= ${utcDay(`${WHOLE_DAYS_FROM}::timestamptz`)}
    and day < ${utcDay(`${WHOLE_DAYS_TO}::timestamptz`)} and ${span === 'link_day' ? IN_SCOPE : 'true'}`,
  day: 'day',
});

const CLICKS = ['clicks'] as const;
const FINER_SOURCES = [
  between('click_hours', 'hour', CLICKS, FROM, WHOLE_DAYS_FROM),
  between('click_hours', 'hour', CLICKS, WHOLE_DAYS_TO, TO),
  between('count_deltas', 'hour', CLICKS, FROM, TO),
  between('results', 'at', RESULT_COLUMNS, FROM, WHOLE_DAYS_FROM),
  between('results', 'at', RESULT_COLUMNS, WHOLE_DAYS_TO, TO),
  between('count_deltas', 'hour', RESULT_COLUMNS, WHOLE_DAYS_FROM, WHOLE_DAYS_TO),
];

const GROUP_KEY: Record<Grouping, (source: Source) => string> = {
  total: () => `'total'`,
  day: ({ day }) => day,
  partner: () => 'partner_id',
  link: () => 'link_id',
};

const forEachCount = (sql: (column: string) => string) => COUNT_COLUMNS.map(sql).join(', ');

/** Each source is summed by itself first, so that only a few rows are left to combine and rank. */
function performanceQuery(grouping: Grouping, isWholeProgram: boolean): string {
  const sources = [wholeDaysOf(isWholeProgram ? 'program_day' : 'link_day'), ...FINER_SOURCES];
  const sums = sources.map((source) => {
    const { table, counts, where } = source;
    const currency = counts === CLICKS ? 'null' : 'currency';
    return `
      select ${GROUP_KEY[grouping](source)} as key, ${currency} as currency,
        ${forEachCount((column) => (counts.includes(column) ? sumOf(column) : `0 as ${column}`))}
      from ${table} where program_id = ${PROGRAM_ID} and ${where} group by 1, 2`;
  });
  return `
  with sums as (
    select key, currency, ${forEachCount((column) => `sum(${column}) as ${column}`)}
    from (${sums.join(' union all ')}) s where key is not null group by 1, 2
  ), ranked as (
    select *, dense_rank() over (order by key_sales desc, key_clicks desc, key desc) as rank
    from (
      select *, sum(sales) over (partition by key) as key_sales, sum(clicks) over (partition by key) as key_clicks
      from sums) s
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

const FIND_NAMES = {
  partner: `select p.id, p.name from partners p join memberships m on m.partner_id = p.id
    where m.program_id = $1 and p.id = any ($2::bigint[])`,
  group: 'select id, name from partner_groups where program_id = $1 and id = any ($2::bigint[])',
  link: 'select id, short_link as name from links where program_id = $1 and id = any ($2::bigint[])',
  coupon: 'select id, code as name from coupons where program_id = $1 and id = any ($2::bigint[])',
};

/** The names of partners and groups, the short links of links, and the codes of coupons, by id. */
export async function findGroupNames(
  db: Queryable,
  programId: number,
  grouping: keyof typeof FIND_NAMES,
  ids: number[],
): Promise<Map<number, string>> {
  const rows = await db.query<{ id: number; name: string }>(FIND_NAMES[grouping], [programId, ids]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
