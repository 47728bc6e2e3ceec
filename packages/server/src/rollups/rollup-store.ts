import type { Db, Queryable } from '../db/db.ts';
import { RESULTS } from '../db/tables.ts';

// Rows are written in the order of their keys: in which they are read later, and held by whoever else folds at the time.

/** Adds what was counted since the last time to the hours and days it belongs to, in one step. */
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

/** Adds the results that were taken from the deltas to those that a table has under the same key. */
const addResults = (table: string, key: string) => `
  insert into ${table} as known (${key}, ${RESULTS.join(', ')})
  select ${key}, ${RESULTS.map((column) => `sum(${column})`).join(', ')} from taken group by ${key} order by ${key}
  on conflict (${key}) do update set ${RESULTS.map((column) => `${column} = known.${column} + excluded.${column}`).join(', ')}
  returning 1`;

/** The same for leads, sales and what they brought. */
export async function rollUpResults(db: Queryable): Promise<number> {
  const rows = await db.query(
    `with taken as (
       delete from result_deltas returning *
     ), totals as (
       ${addResults('program_days', 'program_id, day, currency')}
     )
     ${addResults('result_days', 'program_id, day, partner_id, link_id, currency')}`,
    [],
  );
  return rows.length;
}

/** How often results could not be counted, and how often that was when they were last counted anew. */
export async function findMissedResults(db: Queryable): Promise<{ missed: number; recounted: number }> {
  const [row] = await db.query<{ missed: number; recounted: number }>(
    `select case when is_called then last_value else 0 end as missed,
       coalesce((select missed from results_recounted), 0) as recounted
     from results_missed`,
    [],
  );
  return row as { missed: number; recounted: number };
}

/** Counts all results from their rows. Nobody writes such rows meanwhile, so that none is counted twice or not at all. */
export async function rebuildResults(db: Db, missed: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query('lock table sales, commissions, customers in share row exclusive mode');
    await tx.query('delete from result_deltas', []);
    await tx.query('delete from result_days', []);
    await tx.query(`update program_days set ${RESULTS.map((column) => `${column} = 0`).join(', ')}`, []);
    await tx.query(
      `insert into result_deltas (program_id, day, partner_id, link_id, currency, ${RESULTS.join(', ')})
       select program_id, (at at time zone 'UTC')::date, partner_id, link_id, currency,
         ${RESULTS.map((column) => `sum(${column})`).join(', ')}
       from results group by 1, 2, 3, 4, 5`,
      [],
    );
    await rollUpResults(tx);
    await tx.query('delete from results_recounted', []);
    await tx.query('insert into results_recounted values ($1)', [missed]);
  });
}
