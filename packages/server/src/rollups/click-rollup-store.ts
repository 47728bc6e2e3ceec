import type { Queryable } from '../db/db.ts';

/** Part of the click statement: appends the counts of the `input` rows as deltas, which the rollup job adds later. */
export const INSERT_CLICK_DELTAS = `
  insert into click_deltas (program_id, link_id, partner_id, hour, clicks)
  select program_id, link_id, partner_id, date_trunc('hour', clicked_at, 'UTC'), count(*)
  from input where not is_test group by 1, 2, 3, 4`;

/**
 * Adds all pending click deltas to their hours and days in one statement. Rows are written in key order, so that all nodes
 * lock them in the same order.
 */
export async function rollUpClicks(db: Queryable): Promise<number> {
  const rows = await db.query(
    `with taken as (
       delete from click_deltas returning *
     ), days as (
       insert into click_days (program_id, day, link_id, partner_id, clicks)
       select program_id, (hour at time zone 'UTC')::date, link_id, min(partner_id), sum(clicks)
       from taken group by 1, 2, 3 order by 1, 2, 3
       on conflict (program_id, day, link_id) do update set clicks = click_days.clicks + excluded.clicks
     )
     insert into click_hours (program_id, hour, link_id, partner_id, clicks)
     select program_id, hour, link_id, min(partner_id), sum(clicks) from taken group by 1, 2, 3 order by 1, 2, 3
     on conflict (program_id, hour, link_id) do update set clicks = click_hours.clicks + excluded.clicks
     returning 1`,
    [],
  );
  return rows.length;
}
