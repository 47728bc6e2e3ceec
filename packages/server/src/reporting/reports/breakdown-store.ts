import type { Db, Queryable } from '../../db/db.ts';
import { toSum } from '../../db/lists/sum.ts';
import { parseClickCounts, type ResultCounts, readResultCounts, WHOLE_PROGRAM } from '../../rollups/facet-counts.ts';
import type { Facet } from '../../rollups/facets.ts';
import { RESULT_COLUMNS } from '../../rollups/result-rollup-store.ts';
import type { MoneySums } from '../performance.ts';
import type { BreakdownRow, BreakdownSort } from './breakdown.ts';

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

/** The tables with the counts of partners and links. Deltas are changes that are not rolled up yet. */
type Source = { table: string; day: string };
const CLICKS: Source[] = [
  { table: 'click_days', day: 'day' },
  { table: 'click_deltas', day: `(hour at time zone 'UTC')::date` },
];
const RESULTS: Source[] = [
  { table: 'result_days', day: 'day' },
  { table: 'result_deltas', day: 'day' },
];

const SORT_KEY: Record<BreakdownSort, string> = {
  clicks: 'clicks',
  leads: 'leads',
  sales: 'sales',
  revenue: 'case when currency = main_currency then revenue_cents else 0 end',
  commission: 'case when currency = main_currency then commission_cents else 0 end',
};

const forEachResult = (sql: (column: string) => string) => RESULT_COLUMNS.map(sql).join(', ');

const inPeriod = ({ day }: Source) => `
  program_id = ${PROGRAM_ID} and ${day} >= ${FROM_DAY}::date and ${day} < ${TO_DAY}::date
  and (${PARTNER_ID}::bigint is null or partner_id = ${PARTNER_ID})`;

/** There may be any number of partners, so the database ranks them and adds up those past the limit. */
function recordQuery(by: 'partner' | 'link', sort: BreakdownSort): string {
  const key = `coalesce(${by}_id, 0)`;
  const clickSums = CLICKS.map(
    (source) =>
      `select ${key} as key, sum(clicks::int) as clicks from ${source.table} where ${inPeriod(source)} group by 1`,
  );
  const resultSums = RESULTS.map(
    (source) => `select ${key} as key, currency, ${forEachResult((column) => `sum(${column}) as ${column}`)}
      from ${source.table} where ${inPeriod(source)} group by 1, 2`,
  );
  return `
  with sums as (
    select key, null::text as currency, sum(clicks) as clicks, ${forEachResult((column) => `0 as ${column}`)}
    from (${clickSums.join(' union all ')}) c group by 1
    union all
    select key, currency, 0, ${forEachResult((column) => `sum(${column})`)}
    from (${resultSums.join(' union all ')}) r group by 1, 2
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
  by: 'partner' | 'link',
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

/** The counts of a facet, day by day. */
export async function listFacetCounts(
  db: Queryable,
  programId: number,
  facet: Facet,
  { fromDay, toDay, partnerId }: BreakdownQuery,
): Promise<{ clicks: [value: string | null, clicks: number][][]; results: ResultCounts[][] }> {
  const params = [programId, fromDay, toDay, partnerId];
  const [clicks, results] = await Promise.all([
    db.query<{ counts: string }>(`select ${facet} as counts from click_facet_days where ${OF_DAYS}`, params),
    db.query<{ counts: string }>(`select ${facet} as counts from result_facet_days where ${OF_DAYS}`, params),
  ]);
  return {
    clicks: clicks.map(({ counts }) => parseClickCounts(counts)),
    results: results.map(({ counts }) => readResultCounts(counts)),
  };
}
