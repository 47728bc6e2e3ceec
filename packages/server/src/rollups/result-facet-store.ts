import type { Db, Queryable } from '../db/db.ts';
import { toSum } from '../db/sum.ts';
import { forEachFacet, limitResultCounts, type ResultCounts, scopesOf, writeResultCounts } from './facet-counts.ts';
import { FACET_COLUMNS, FACETS, type Facet, type Facets, facetsOf, type Visit } from './facets.ts';

const OF_THE_DAYS = `r.program_id = $1 and r.at >= ($2::date)::timestamp at time zone 'UTC'
  and r.at < ($3::date + 1)::timestamp at time zone 'UTC'`;

// Customers keep the facets of their first click. They are stored when a customer first has a result, while the click is
// still there.
const FIND_NEW_CUSTOMERS = `
  select distinct on (c.id) c.id, k.page_url as "pageUrl", k.affiliate_url as "affiliateUrl", k.referrer_url as "referrerUrl",
    k.user_agent as "userAgent", k.country
  from (select distinct r.customer_id from results r where ${OF_THE_DAYS} and r.customer_id is not null) found
  join customers c on c.id = found.customer_id
  left join clicks k on k.customer_id = c.id and k.program_id = c.program_id and k.clicked_at = c.clicked_at
  where not exists (select from customer_facets known where known.customer_id = c.id)
  order by c.id`;

const FIND_RESULTS = `
  select (r.at at time zone 'UTC')::date::text as day, r.partner_id as "partnerId", r.currency,
    ${FACETS.map((facet) => `coalesce(f.${facet}, '') as ${facet}`).join(', ')},
    sum(r.leads)::int as leads, sum(r.first_sales)::int as "firstSales", sum(r.sales)::int as sales,
    sum(r.revenue_cents)::text as "revenueCents", sum(r.refunded_cents)::text as "refundedCents",
    sum(r.commission_cents)::text as "commissionCents"
  from results r left join customer_facets f on f.customer_id = r.customer_id
  where ${OF_THE_DAYS} group by 1, 2, 3, ${FACETS.map((_facet, index) => index + 4).join(', ')}`;

type FoundResults = Facets & {
  day: string;
  partnerId: number | null;
  currency: string | null;
  leads: number;
  firstSales: number;
  sales: number;
  revenueCents: string;
  refundedCents: string;
  commissionCents: string;
};

/** Consecutive days of a program, both included. */
export type DayRun = { programId: number; firstDay: string; lastDay: string };

/** The days whose results have to be counted by facet, newest first, as runs of at most a month. */
export function listDueFacetDays(db: Queryable, limit: number): Promise<DayRun[]> {
  return db.query<DayRun>(
    `select program_id as "programId", min(day)::text as "firstDay", max(day)::text as "lastDay" from (
       select program_id, day, day - row_number() over (partition by program_id order by day)::int as run from facet_days_due) d
     group by program_id, run, date_trunc('month', day) order by max(day) desc, program_id limit $1`,
    [limit],
  );
}

/**
 * Counts the results of a few days of a program by facet, from one snapshot of its rows. A change that commits later has a
 * delta, and its day is due again when that is rolled up.
 */
export async function rebuildResultFacetDays(db: Db, { programId, firstDay, lastDay }: DayRun): Promise<void> {
  const days = [programId, firstDay, lastDay];
  await db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read');
    await tx.query('delete from facet_days_due where program_id = $1 and day between $2::date and $3::date', days);
    await tx.query('delete from result_facet_days where program_id = $1 and day between $2::date and $3::date', days);
    await addCustomers(tx, programId, await tx.query<Visit & { id: number }>(FIND_NEW_CUSTOMERS, days));
    await addResults(tx, programId, await tx.query<FoundResults>(FIND_RESULTS, days));
  });
}

async function addCustomers(tx: Queryable, programId: number, customers: (Visit & { id: number })[]): Promise<void> {
  if (customers.length === 0) return;
  await tx.query(
    `insert into customer_facets (customer_id, program_id, ${FACET_COLUMNS})
     select id, $1, ${FACET_COLUMNS}
     from json_to_recordset($2::json) as i(id bigint, ${FACETS.map((facet) => `${facet} text`).join(', ')})
     on conflict do nothing`,
    [programId, JSON.stringify(customers.map((customer) => ({ id: customer.id, ...facetsOf(customer) })))],
  );
}

async function addResults(tx: Queryable, programId: number, found: FoundResults[]): Promise<void> {
  const places = new Map<string, { day: string; partnerId: number; results: Record<Facet, ResultCounts[]> }>();
  for (const row of found) {
    const { day, currency, leads, firstSales, sales } = row;
    const counts = {
      ...{ currency, leads, firstSales, sales, revenueCents: toSum(row.revenueCents) },
      ...{ refundedCents: toSum(row.refundedCents), commissionCents: toSum(row.commissionCents) },
    };
    for (const partnerId of scopesOf(row.partnerId)) {
      const key = `${partnerId} ${day}`;
      const place = places.get(key) ?? { day, partnerId, results: forEachFacet((): ResultCounts[] => []) };
      places.set(key, place);
      for (const facet of FACETS) place.results[facet].push({ value: row[facet], ...counts });
    }
  }
  const rows = [...places.values()].map(({ day, partnerId, results }) => ({
    day,
    partnerId,
    ...forEachFacet((facet) => writeResultCounts(limitResultCounts(results[facet]))),
  }));
  await tx.query(
    `insert into result_facet_days (program_id, day, partner_id, ${FACET_COLUMNS})
     select $1, day, "partnerId", ${FACET_COLUMNS}
     from json_to_recordset($2::json)
       as i(day date, "partnerId" bigint, ${FACETS.map((facet) => `${facet} text`).join(', ')})`,
    [programId, JSON.stringify(rows)],
  );
}
