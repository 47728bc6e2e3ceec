import type { Queryable } from '../db/db.ts';

/** Removes the visits behind the results of customers, and has the days of these results counted again without them. */
export async function deleteCustomerFacets(db: Queryable, programId: number, customerIds: number[]): Promise<void> {
  await db.query('delete from customer_facets where customer_id = any ($1::bigint[])', [customerIds]);
  await db.query(
    `insert into facet_days_due (program_id, day)
     select $1, day from (
       select (lead_at at time zone 'UTC')::date as day from customers where id = any ($2::bigint[]) and lead_at is not null
       union
       select (converted_at at time zone 'UTC')::date from customers where id = any ($2::bigint[]) and converted_at is not null
       union
       select (created_at at time zone 'UTC')::date from sales where customer_id = any ($2::bigint[])) days
     order by day on conflict do nothing`,
    [programId, customerIds],
  );
}
