import type { Db, Queryable } from '../db/db.ts';
import { FACET_COLUMNS, FACET_ROWS, FACETS, FACETS_OF_CLICK, MAX_VALUES_A_DAY } from './facets.ts';
import { type ProgramDay, RESULT_COLUMNS } from './result-rollup-store.ts';

const COLUMNS = RESULT_COLUMNS.join(', ');
const SUMS = RESULT_COLUMNS.map((column) => `sum(${column}) as ${column}`).join(', ');
const NO_FACETS = FACETS.map((facet) => `coalesce(k.${facet}, '') as ${facet}`).join(', ');

const OF_THE_DAY = `r.program_id = $1 and r.at >= ($2::date)::timestamp at time zone 'UTC'
  and r.at < ($2::date + 1)::timestamp at time zone 'UTC'`;

// Customers keep the facets of their first click. They are stored when a customer first has a result, while the click is
// still there.
const ADD_CUSTOMERS = `
  insert into customer_facets (customer_id, program_id, ${FACET_COLUMNS})
  select distinct on (c.id) c.id, c.program_id, ${NO_FACETS}
  from (select distinct r.customer_id from results r where ${OF_THE_DAY} and r.customer_id is not null) found
  join customers c on c.id = found.customer_id
  left join lateral (
    select ${FACETS_OF_CLICK} from clicks k
    where k.customer_id = c.id and k.program_id = c.program_id and k.clicked_at = c.clicked_at limit 1) k on true
  where not exists (select from customer_facets known where known.customer_id = c.id)
  order by c.id
  on conflict do nothing`;

// The values with the most sales, then leads, get a row of their own.
const ADD_RESULTS = `
  with found as materialized (
    select r.partner_id, r.currency, ${NO_FACETS}, ${SUMS}
    from results r left join customer_facets k on k.customer_id = r.customer_id
    where ${OF_THE_DAY} group by 1, 2, ${FACETS.map((_, index) => index + 3).join(', ')}
  ), by_partner as materialized (
    select coalesce(partner_id, -1) as partner_id, f.facet, f.value, currency, ${SUMS}
    from found cross join lateral ${FACET_ROWS} group by 1, 2, 3, 4
  ), counted as (
    select 0::bigint as partner_id, facet, value, currency, ${SUMS} from by_partner group by 1, 2, 3, 4
    union all
    select * from by_partner where partner_id > 0
  ), placed as (
    select *, dense_rank() over (partition by partner_id, facet order by value_sales desc, value_leads desc, value) as place
    from (
      select *, sum(sales) over (partition by partner_id, facet, value) as value_sales,
        sum(leads) over (partition by partner_id, facet, value) as value_leads
      from counted) c
  )
  insert into result_facet_days (program_id, partner_id, facet, day, value, currency, ${COLUMNS})
  select $1, partner_id, facet, $2::date, case when place <= ${MAX_VALUES_A_DAY} then value end, currency, ${SUMS}
  from placed group by partner_id, facet, 5, currency`;

/** Days whose results have to be counted by facet, newest first. */
export function listDueFacetDays(db: Queryable, limit: number): Promise<ProgramDay[]> {
  return db.query<ProgramDay>(
    'select program_id as "programId", day::text from facet_days_due order by day desc, program_id limit $1',
    [limit],
  );
}

/**
 * Counts the results of one day of a program by facet, from one snapshot of its rows. A change that commits later has a delta,
 * and the day is due again when that is rolled up.
 */
export async function rebuildResultFacetDay(db: Db, { programId, day }: ProgramDay): Promise<void> {
  const key = [programId, day];
  await db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read');
    await tx.query('delete from facet_days_due where program_id = $1 and day = $2::date', key);
    await tx.query('delete from result_facet_days where program_id = $1 and day = $2::date', key);
    await tx.query(ADD_CUSTOMERS, key);
    await tx.query(ADD_RESULTS, key);
  });
}
