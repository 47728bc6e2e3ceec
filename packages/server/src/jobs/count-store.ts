import type { Queryable } from '../db/db.ts';

/** Adds what was counted since the last time to the hours and days it belongs to, in one step. */
export async function foldClickDeltas(db: Queryable): Promise<number> {
  const rows = await db.query(
    `with taken as (
       delete from click_deltas returning *
     ), days as (
       insert into click_days (program_id, day, link_id, partner_id, clicks)
       select program_id, (hour at time zone 'UTC')::date, link_id, min(partner_id), sum(clicks)
       from taken group by 1, 2, 3
       on conflict (program_id, day, link_id) do update set clicks = click_days.clicks + excluded.clicks
     )
     insert into click_hours (program_id, hour, link_id, partner_id, clicks)
     select program_id, hour, link_id, min(partner_id), sum(clicks) from taken group by 1, 2, 3
     on conflict (program_id, hour, link_id) do update set clicks = click_hours.clicks + excluded.clicks
     returning 1`,
    [],
  );
  return rows.length;
}

/** The same for leads, sales and what they brought. */
export async function foldResultDeltas(db: Queryable): Promise<void> {
  await db.query(
    `with taken as (
       delete from result_deltas returning *
     )
     insert into result_days as days
     select program_id, day, partner_id, link_id, currency, sum(leads), sum(first_sales), sum(sales), sum(revenue_cents),
       sum(refunded_cents), sum(commission_cents)
     from taken group by 1, 2, 3, 4, 5
     on conflict (program_id, day, partner_id, link_id, currency) do update set
       leads = days.leads + excluded.leads, first_sales = days.first_sales + excluded.first_sales,
       sales = days.sales + excluded.sales, revenue_cents = days.revenue_cents + excluded.revenue_cents,
       refunded_cents = days.refunded_cents + excluded.refunded_cents,
       commission_cents = days.commission_cents + excluded.commission_cents`,
    [],
  );
}
