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

export async function makeClickPartitions(db: Queryable, months: Date[]): Promise<void> {
  for (const month of months) await db.query('select make_click_partition($1)', [month]);
}

/** The embedded store has no background workers: what they would tidy up is tidied here. */
export async function tidyStore(db: Queryable): Promise<void> {
  await db.query('vacuum (analyze)');
}
