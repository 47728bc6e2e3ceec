import type { Breakdown } from '@svc/contract';
import type { Db, Queryable } from '../../db/db.ts';
import { toSum } from '../../db/sum.ts';
import { RESULT_COLUMNS } from '../../rollups/result-rollup-store.ts';
import type { MoneySums } from '../performance.ts';
import { type BreakdownRow, isRecord } from './breakdown.ts';

export type BreakdownSort = 'clicks' | 'leads' | 'sales' | 'revenue' | 'commission';

export type BreakdownQuery = {
  by: Breakdown;
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
const FACET = '$7';

const UTC_DAY_OF_HOUR = `(hour at time zone 'UTC')::date`;

/** The tables with the counts of groups, and the SQL of the day of a row. Deltas are changes that are not rolled up yet. */
type Source = { table: string; day: string };
const RECORD_CLICKS: Source[] = [
  { table: 'click_days', day: 'day' },
  { table: 'click_deltas', day: UTC_DAY_OF_HOUR },
];
const RECORD_RESULTS: Source[] = [
  { table: 'result_days', day: 'day' },
  { table: 'result_deltas', day: 'day' },
];

const OF_RECORDS = `(${PARTNER_ID}::bigint is null or partner_id = ${PARTNER_ID})`;
const OF_FACET = `partner_id = coalesce(${PARTNER_ID}::bigint, 0) and facet = ${FACET}`;

const SORT_KEY: Record<BreakdownSort, string> = {
  clicks: 'clicks',
  leads: 'leads',
  sales: 'sales',
  revenue: `case when currency = main_currency then revenue_cents else 0 end`,
  commission: `case when currency = main_currency then commission_cents else 0 end`,
};

const forEachResult = (sql: (column: string) => string) => RESULT_COLUMNS.map(sql).join(', ');

/** Groups past the limit, and the rest that a rollup has under null, are returned as one group without a key. */
function breakdownQuery(by: Breakdown, sort: BreakdownSort): string {
  const key = isRecord(by) ? `coalesce(${by}_id, 0)` : 'value';
  const scope = isRecord(by) ? OF_RECORDS : OF_FACET;
  const clicks = isRecord(by) ? RECORD_CLICKS : [{ table: 'click_facet_days', day: 'day' }];
  const results = isRecord(by) ? RECORD_RESULTS : [{ table: 'result_facet_days', day: 'day' }];
  const where = ({ day }: Source) =>
    `program_id = ${PROGRAM_ID} and ${day} >= ${FROM_DAY}::date and ${day} < ${TO_DAY}::date and ${scope}`;
  const clickSums = clicks.map(
    (source) =>
      `select ${key} as key, sum(clicks::int) as clicks from ${source.table} where ${where(source)} group by 1`,
  );
  const resultSums = results.map(
    (source) => `select ${key} as key, currency, ${forEachResult((column) => `sum(${column}) as ${column}`)}
      from ${source.table} where ${where(source)} group by 1, 2`,
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
    select *, dense_rank() over (order by key is null, weight desc, key_clicks desc, key) as rank from weighed
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

/** The sums of a period by group, those with the most first. */
export async function findBreakdown(db: Queryable, programId: number, query: BreakdownQuery): Promise<BreakdownRow[]> {
  const { by, fromDay, toDay, partnerId, sort, currency, limit } = query;
  const params = [programId, fromDay, toDay, partnerId, currency, limit];
  const rows = await db.query<RowOfTexts>(breakdownQuery(by, sort), isRecord(by) ? params : [...params, by]);
  return rows.map((row) => ({
    ...row,
    revenueCents: toSum(row.revenueCents),
    refundedCents: toSum(row.refundedCents),
    commissionCents: toSum(row.commissionCents),
  }));
}
