import type { Db, Queryable } from '../../db/db.ts';
import { toSum } from '../../db/lists/sum.ts';
import { COUNT_COLUMNS, sumOf } from '../../rollups/count-store.ts';
import { parseClickCounts, type ResultCounts, readResultCounts, WHOLE_PROGRAM } from '../../rollups/facet-counts.ts';
import { FACETS, type Facet, type ResultFacet } from '../../rollups/facets.ts';
import type { MoneySums } from '../performance.ts';
import type { BreakdownRow, BreakdownSort, CountedRecord } from './breakdown.ts';

export type BreakdownQuery = {
  /** Whole UTC days, such as `2026-03-01`; the last one is not included. */
  fromDay: string;
  toDay: string;
  partnerId: number | null;
  sort: BreakdownSort;
  /** The currency whose amounts are compared. */
  currency: string;
  limit: number;
};

// The parameters of the statement.
const PROGRAM_ID = '$1';
const FROM_DAY = '$2';
const TO_DAY = '$3';
const PARTNER_ID = '$4';
const CURRENCY = '$5';
const LIMIT = '$6';

/** The counts of links by day, and what is not rolled up yet. */
const SOURCES = [
  { table: 'counts', where: `span = 'link_day'`, day: 'day' },
  { table: 'count_deltas', where: 'true', day: `(hour at time zone 'UTC')::date` },
];

const SORT_KEY: Record<BreakdownSort, string> = {
  clicks: 'clicks',
  leads: 'leads',
  sales: 'sales',
  revenue: 'case when currency = main_currency then revenue_cents else 0 end',
  commission: 'case when currency = main_currency then commission_cents else 0 end',
};

const forEachCount = (sql: (column: string) => string) => COUNT_COLUMNS.map(sql).join(', ');

/** The group that a partner is in now. One who was never moved is in the default group. */
const GROUP_OF_PARTNER = `
  case when key = 0 then 0 else coalesce(
    (select m.group_id from memberships m where m.program_id = ${PROGRAM_ID} and m.partner_id = key),
    (select g.id from partner_groups g where g.program_id = ${PROGRAM_ID} and g.is_default)) end`;

/** There may be any number of partners, so the database ranks them and adds up those past the limit. */
function recordQuery(by: CountedRecord, sort: BreakdownSort): string {
  const sums = SOURCES.map(
    ({ table, where, day }) => `
      select coalesce(${by === 'link' ? 'link_id' : 'partner_id'}, 0) as key, currency, ${forEachCount(sumOf)}
      from ${table} where program_id = ${PROGRAM_ID} and ${where} and ${day} >= ${FROM_DAY}::date and ${day} < ${TO_DAY}::date
        and (${PARTNER_ID}::bigint is null or partner_id = ${PARTNER_ID}) group by 1, 2`,
  );
  return `
  with sums as (
    select ${by === 'group' ? GROUP_OF_PARTNER : 'key'} as key, currency, ${forEachCount((column) => `sum(${column}) as ${column}`)}
    from (${sums.join(' union all ')}) s group by 1, 2
  ), weighed as (
    select *, sum(${SORT_KEY[sort]}) over (partition by key) as weight, sum(clicks) over (partition by key) as key_clicks
    from (select *, ${CURRENCY}::text as main_currency from sums) s
  ), ranked as (
    select *, dense_rank() over (order by weight desc, key_clicks desc, key) as rank from weighed
  )
  select case when rank <= ${LIMIT}::int then key::text end as key, currency, sum(clicks)::bigint as clicks,
    sum(leads)::bigint as leads, sum(first_sales)::bigint as "firstSales", sum(sales)::bigint as sales,
    sum(revenue_cents)::text as "revenueCents", sum(refunded_cents)::text as "refundedCents",
    sum(commission_cents)::text as "commissionCents"
  from ranked group by 1, 2 order by min(rank)`;
}

/** Runs several reads on one snapshot, so that what they return fits together. */
export function readSnapshot<Result>(db: Db, read: (tx: Queryable) => Promise<Result>): Promise<Result> {
  return db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only');
    return read(tx);
  });
}

/** Sums of money come as text, because they may be larger than the largest integer of the database. */
type RowOfTexts = Omit<BreakdownRow, keyof MoneySums> & Record<keyof MoneySums, string>;

/** The sums of a period by partner or link, those with the most first; all past the limit have no key. */
export async function findRecordBreakdown(
  db: Queryable,
  programId: number,
  by: CountedRecord,
  { fromDay, toDay, partnerId, sort, currency, limit }: BreakdownQuery,
): Promise<BreakdownRow[]> {
  const params = [programId, fromDay, toDay, partnerId, currency, limit];
  const rows = await db.query<RowOfTexts>(recordQuery(by, sort), params);
  return rows.map((row) => ({
    ...row,
    revenueCents: toSum(row.revenueCents),
    refundedCents: toSum(row.refundedCents),
    commissionCents: toSum(row.commissionCents),
  }));
}

const OF_DAYS = `
  program_id = ${PROGRAM_ID} and partner_id = coalesce(${PARTNER_ID}::bigint, ${WHOLE_PROGRAM})
  and day >= ${FROM_DAY}::date and day < ${TO_DAY}::date`;

const isOfClicks = (facet: ResultFacet): facet is Facet => (FACETS as readonly string[]).includes(facet);

/** The results of each day by the month in which their customers first bought. */
export async function listCohortDays(
  db: Queryable,
  programId: number,
  { fromDay, toDay, partnerId }: Pick<BreakdownQuery, 'fromDay' | 'toDay' | 'partnerId'>,
): Promise<{ day: string; counts: ResultCounts[] }[]> {
  const rows = await db.query<{ day: string; counts: string }>(
    `select day::text, cohort as counts from result_facet_days where ${OF_DAYS} and cohort is not null`,
    [programId, fromDay, toDay, partnerId],
  );
  return rows.map(({ day, counts }) => ({ day, counts: readResultCounts(counts) }));
}

/** The counts of a facet, day by day. Clicks have no facets of sales. */
export async function listFacetCounts(
  db: Queryable,
  programId: number,
  facet: Exclude<ResultFacet, 'cohort'>,
  { fromDay, toDay, partnerId }: BreakdownQuery,
): Promise<{ clicks: [value: string | null, clicks: number][][]; results: ResultCounts[][] }> {
  const params = [programId, fromDay, toDay, partnerId];
  const [clicks, results] = await Promise.all([
    isOfClicks(facet)
      ? db.query<{ counts: string }>(`select ${facet} as counts from click_facet_days where ${OF_DAYS}`, params)
      : [],
    db.query<{ counts: string }>(
      `select ${facet} as counts from result_facet_days where ${OF_DAYS} and ${facet} is not null`,
      params,
    ),
  ]);
  return {
    clicks: clicks.map(({ counts }) => parseClickCounts(counts)),
    results: results.map(({ counts }) => readResultCounts(counts)),
  };
}
