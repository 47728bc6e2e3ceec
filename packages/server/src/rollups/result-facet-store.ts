import { couponKey } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { toSum } from '../db/lists/sum.ts';
import type { ResultCounts } from './facet-counts.ts';
import {
  FACET_COLUMNS,
  FACETS,
  type Facets,
  facetsOf,
  RESULT_FACETS,
  type ResultFacet,
  type SaleFacet,
  type Visit,
} from './facets.ts';

/** How many leads, first sales, sales and other commissions are counted at once, so that requests do not wait long. */
const RESULTS_AT_ONCE = 500;

/** Consecutive days of a program, both included. */
export type DayRun = { programId: number; firstDay: string; lastDay: string };

/** How many days that were counted without some facets are found at once. */
const MAX_NOTED_DAYS = 1_000;

/** Has days counted again that an earlier release has counted, which did not know all facets. */
export async function noteIncompleteDays(db: Queryable): Promise<void> {
  await db.query(
    `insert into facet_days_due (program_id, day)
     select distinct program_id, day from (
       select program_id, day from result_facet_days where cohort is null order by program_id, day limit ${MAX_NOTED_DAYS}) found
     order by 1, 2 on conflict do nothing`,
  );
}

/** The days whose results have to be counted by facet, newest first, as runs of at most a month. */
export function listDueFacetDays(db: Queryable, limit: number): Promise<DayRun[]> {
  return db.query<DayRun>(
    `select program_id as "programId", min(day)::text as "firstDay", max(day)::text as "lastDay" from (
       select program_id, day, day - row_number() over (partition by program_id order by day)::int as run from (
         select program_id, day from facet_days_due union select program_id, day from facet_days_in_progress) due) d
     group by program_id, run, date_trunc('month', day) order by max(day) desc, program_id limit $1`,
    [limit],
  );
}

/**
 * Records that an attempt is counting these days, so that none is lost if it is interrupted. A change that commits later has
 * a delta, and its day is due again when that is rolled up.
 */
export async function startFacetDays(
  tx: Queryable,
  attempt: string,
  { programId, firstDay, lastDay }: DayRun,
): Promise<string[]> {
  const days = [programId, firstDay, lastDay];
  const started = await tx.query<{ day: string }>(
    `insert into facet_days_in_progress (program_id, day, attempt)
     select $1, day::date, $4::uuid from generate_series($2::date, $3::date, interval '1 day') day order by day
     on conflict (program_id, day) do update set attempt = excluded.attempt returning day::text`,
    [...days, attempt],
  );
  await tx.query('delete from facet_days_due where program_id = $1 and day between $2::date and $3::date', days);
  return started.map(({ day }) => day);
}

/** Whether the attempt still has days to count. An erasure waits until the transaction is over, and then stops the attempt. */
export async function lockFacetDays(tx: Queryable, attempt: string): Promise<boolean> {
  const rows = await tx.query('select 1 from facet_days_in_progress where attempt = $1 for share', [attempt]);
  return rows.length > 0;
}

/** A position in the order of results. The time is text, because it may have microseconds. */
export type Position = { at: string; rowId: number };

/** The results between two positions, those at the first included. */
export type Piece = { programId: number; from: Position; to: Position };

/** Before the first result of a day, and after its last. */
export const startOf = (day: string): Position => ({ at: `${day}T00:00:00Z`, rowId: 0 });
export const endOf = (day: string): Position => ({ at: `${day}T24:00:00Z`, rowId: 0 });

const nextOf = (table: string, at: string, condition: string) => `(
  select ${at} as at, id from ${table}
  where program_id = $1 and ${condition} and (${at}, id) >= ($2::timestamptz, $3::bigint) and ${at} < $4::timestamptz
  order by ${at}, id offset ${RESULTS_AT_ONCE} limit 1)`;

// One lookup in an index each. Commissions of sales are counted with their sale.
const FIND_END = `
  select at::text, id as "rowId" from (
    ${nextOf('customers', 'lead_at', 'lead_at is not null')} union all
    ${nextOf('customers', 'converted_at', 'converted_at is not null')} union all
    ${nextOf('sales', 'created_at', 'true')} union all
    ${nextOf('commissions', 'created_at', 'sale_id is null')}) ends
  order by ends.at, id limit 1`;

/** Where the piece that begins at `from` ends, at most `end`. */
export async function findPieceEnd(tx: Queryable, programId: number, from: Position, end: Position): Promise<Position> {
  const [found] = await tx.query<Position>(FIND_END, [programId, from.at, from.rowId, end.at]);
  return found ?? end;
}

const OF_THE_PIECE = `r.program_id = $1
  and (r.at, r.row_id) >= ($2::timestamptz, $3::bigint) and (r.at, r.row_id) < ($4::timestamptz, $5::bigint)`;

const paramsOf = ({ programId, from, to }: Piece) => [programId, from.at, from.rowId, to.at, to.rowId];

/**
 * Stores the facets of the customers in the piece who have none yet. They keep those of the click that is credited, which may be gone
 * before their last result.
 */
export async function insertCustomerFacets(tx: Queryable, piece: Piece): Promise<void> {
  const customers = await tx.query<Visit & { id: number }>(
    `select distinct on (c.id) c.id, k.page_url as "pageUrl", k.affiliate_url as "affiliateUrl",
       k.referrer_url as "referrerUrl", k.user_agent as "userAgent", k.country, k.sub
     from (select distinct r.customer_id from results r where ${OF_THE_PIECE} and r.customer_id is not null) found
     join customers c on c.id = found.customer_id
     left join clicks k on k.customer_id = c.id and k.program_id = c.program_id
       and k.clicked_at = coalesce(c.credited_click_at, c.clicked_at)
     where not exists (select from customer_facets known where known.customer_id = c.id)
     order by c.id`,
    paramsOf(piece),
  );
  if (customers.length === 0) return;
  await tx.query(
    `insert into customer_facets (customer_id, program_id, ${FACET_COLUMNS})
     select id, $1, ${FACET_COLUMNS}
     from json_to_recordset($2::json) as i(id bigint, ${FACETS.map((facet) => `${facet} text`).join(', ')})
     on conflict do nothing`,
    [piece.programId, JSON.stringify(customers.map((customer) => ({ id: customer.id, ...facetsOf(customer) })))],
  );
}

const MONTH = `to_char(c.converted_at at time zone 'UTC', 'YYYY-MM')`;

/**
 * Notes in which month the customers of the piece first bought. If it is another month than before, because an earlier sale became
 * known or one was taken back, all days of their sales are counted again.
 */
export async function updateCohorts(tx: Queryable, piece: Piece): Promise<void> {
  await tx.query(
    `with found as (
       select f.customer_id, f.cohort, ${MONTH} as month
       from (select distinct r.customer_id from results r where ${OF_THE_PIECE} and r.customer_id is not null) p
       join customers c on c.id = p.customer_id join customer_facets f on f.customer_id = c.id
       where f.cohort is distinct from ${MONTH}
     ), moved as (
       update customer_facets f set cohort = found.month from found where f.customer_id = found.customer_id
     )
     insert into facet_days_due (program_id, day)
     select distinct s.program_id, (s.created_at at time zone 'UTC')::date
     from found join sales s on s.customer_id = found.customer_id
     where found.cohort is not null and s.program_id = $1 order by 1, 2 on conflict do nothing`,
    paramsOf(piece),
  );
}

/** What customers with these facets did on a day, in one currency. */
export type FacetResults = Facets &
  Record<SaleFacet, string> &
  Omit<ResultCounts, 'value'> & { day: string; partnerId: number | null };

/** The facets of results that no click has. A first sale is a new payment; leads and bonuses are none. */
const OF_SALES: Record<Exclude<SaleFacet, 'coupon'>, string> = {
  payment: `case when r.first_sales = 1 or r.is_recurring = false then 'new' when r.is_recurring then 'renewal' else '' end`,
  cohort: `case when r.first_sales = 1 or r.sales = 1 then coalesce(${MONTH}, '') else '' end`,
};

/** Sums of money come as text, because they may be larger than the largest integer of the database. */
type Amount = 'revenueCents' | 'refundedCents' | 'commissionCents';
type RowOfTexts = Omit<FacetResults, Amount | 'coupon'> & Record<Amount, string> & { couponCode: string | null };

/** The results of the piece; those of equal facets are added up. */
export async function listFacetResults(tx: Queryable, piece: Piece): Promise<FacetResults[]> {
  const rows = await tx.query<RowOfTexts>(
    `select (r.at at time zone 'UTC')::date::text as day, r.partner_id as "partnerId", r.currency,
       ${FACETS.map((facet) => `coalesce(f.${facet}, '') as ${facet}`).join(', ')},
       ${OF_SALES.payment} as payment, ${OF_SALES.cohort} as cohort, r.coupon_code as "couponCode",
       sum(r.leads)::int as leads, sum(r.first_sales)::int as "firstSales", sum(r.sales)::int as sales,
       sum(r.revenue_cents)::text as "revenueCents", sum(r.refunded_cents)::text as "refundedCents",
       sum(r.commission_cents)::text as "commissionCents"
     from results r left join customer_facets f on f.customer_id = r.customer_id left join customers c on c.id = r.customer_id
     where ${OF_THE_PIECE} group by 1, 2, 3, ${RESULT_FACETS.map((_facet, index) => index + 4).join(', ')}`,
    paramsOf(piece),
  );
  const coupons = await findCoupons(
    tx,
    piece.programId,
    rows.flatMap(({ couponCode }) => couponCode ?? []),
  );
  return rows.map(({ couponCode, ...row }) => ({
    ...row,
    coupon: couponCode === null ? '' : (coupons.get(couponKey(couponCode)) ?? ''),
    revenueCents: toSum(row.revenueCents),
    refundedCents: toSum(row.refundedCents),
    commissionCents: toSum(row.commissionCents),
  }));
}

/** The ids of the coupons of a program by their key. Codes that it does not know are no coupons. */
async function findCoupons(tx: Queryable, programId: number, codes: string[]): Promise<Map<string, string>> {
  if (codes.length === 0) return new Map();
  const rows = await tx.query<{ id: string; key: string }>(
    'select id::text, code_key as key from coupons where program_id = $1 and code_key = any ($2::text[])',
    [programId, [...new Set(codes.map(couponKey))]],
  );
  return new Map(rows.map(({ id, key }) => [key, id]));
}

/** Stores the counts of a day, unless the attempt was stopped or another has taken the day over. */
export async function finishFacetDay(
  tx: Queryable,
  attempt: string,
  { programId, day }: { programId: number; day: string },
  rows: (Record<ResultFacet, string> & { partnerId: number })[],
): Promise<void> {
  const finished = await tx.query(
    'delete from facet_days_in_progress where program_id = $1 and day = $2::date and attempt = $3 returning 1',
    [programId, day, attempt],
  );
  if (finished.length === 0) return;
  await tx.query('delete from result_facet_days where program_id = $1 and day = $2::date', [programId, day]);
  await tx.query(
    `insert into result_facet_days (program_id, day, partner_id, ${RESULT_FACETS.join(', ')})
     select $1, $2::date, "partnerId", ${RESULT_FACETS.join(', ')}
     from json_to_recordset($3::json) as i("partnerId" bigint, ${RESULT_FACETS.map((facet) => `${facet} text`).join(', ')})`,
    [programId, day, JSON.stringify(rows)],
  );
}
