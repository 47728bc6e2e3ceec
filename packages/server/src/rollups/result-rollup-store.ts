import type { Db, Queryable } from '../db/db.ts';

/** The columns that the view `results` and every count made from it have in common. */
export const RESULT_COLUMNS = [
  'leads',
  'first_sales',
  'sales',
  'revenue_cents',
  'refunded_cents',
  'commission_cents',
] as const;

const COLUMNS = RESULT_COLUMNS.join(', ');
const SUMS = RESULT_COLUMNS.map((column) => `sum(${column})`).join(', ');
const ADDED = RESULT_COLUMNS.map((column) => `${column} = known.${column} + excluded.${column}`).join(', ');
const ZEROED = RESULT_COLUMNS.map((column) => `${column} = 0`).join(', ');

// Triggers append to `result_deltas` what every change of a lead, sale or commission adds. Rows are written in the order of
// their keys, in which another node would lock them too.

const ADD_TO_PROGRAM_DAYS = `
  insert into program_days as known (program_id, day, currency, ${COLUMNS})
  select program_id, day, currency, ${SUMS} from taken group by 1, 2, 3 order by 1, 2, 3
  on conflict (program_id, day, currency) do update set ${ADDED}
  returning 1`;

const ADD_TO_RESULT_DAYS = `
  insert into result_days as known (program_id, day, partner_id, link_id, currency, ${COLUMNS})
  select program_id, day, partner_id, link_id, currency, ${SUMS} from taken group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (program_id, day, partner_id, link_id, currency) do update set ${ADDED}
  returning 1`;

/** Adds the leads, sales and commissions counted since the last time to their days, in one step. */
export async function rollUpResults(db: Queryable): Promise<number> {
  const rows = await db.query(
    `with taken as (delete from result_deltas returning *), totals as (${ADD_TO_PROGRAM_DAYS}) ${ADD_TO_RESULT_DAYS}`,
    [],
  );
  return rows.length;
}

/** How often results could not be counted, and how often that was at the last rebuild. */
export async function findMissedResults(db: Queryable): Promise<{ missed: number; rebuilt: number }> {
  const [row] = await db.query<{ missed: number; rebuilt: number }>(
    `select case when is_called then last_value else 0 end as missed,
       coalesce((select missed from results_recounted), 0) as rebuilt
     from results_missed`,
    [],
  );
  return row as { missed: number; rebuilt: number };
}

export type ProgramDay = { programId: number; day: string };

/** Every day from a program's first result to its last, and every other day that has counts; oldest first. */
export function listResultDays(db: Queryable): Promise<ProgramDay[]> {
  return db.query<ProgramDay>(
    `select program_id as "programId", day::text from (
       select p.id as program_id, generate_series(
         (least(
           (select min(lead_at) from customers where program_id = p.id and lead_at is not null),
           (select min(converted_at) from customers where program_id = p.id and converted_at is not null),
           (select min(created_at) from sales where program_id = p.id)) at time zone 'UTC')::date,
         greatest(
           (select max(lead_at) from customers where program_id = p.id and lead_at is not null),
           (select max(converted_at) from customers where program_id = p.id and converted_at is not null),
           (select max(created_at) from sales where program_id = p.id)) at time zone 'UTC',
         interval '1 day')::date as day
       from programs p
       union select program_id, day from program_days
       union select program_id, day from result_days
       union select program_id, day from result_deltas) days
     order by day, program_id`,
    [],
  );
}

/**
 * Counts one day of a program from its rows. Everything is read from one snapshot: what a change adds commits together with
 * the change, so each is either in the rows read here, or its delta is still there for the next roll-up. No table is
 * locked, and nobody waits.
 */
export async function rebuildResultDay(db: Db, { programId, day }: ProgramDay): Promise<void> {
  const key = [programId, day];
  await db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read');
    await tx.query('delete from result_deltas where program_id = $1 and day = $2::date', key);
    await tx.query('delete from result_days where program_id = $1 and day = $2::date', key);
    await tx.query(`update program_days set ${ZEROED} where program_id = $1 and day = $2::date`, key);
    await tx.query(
      `with taken as materialized (
         select program_id, $2::date as day, partner_id, link_id, currency, ${COLUMNS} from results
         where program_id = $1 and at >= ($2::date)::timestamp at time zone 'UTC'
           and at < ($2::date + 1)::timestamp at time zone 'UTC'
       ), totals as (${ADD_TO_PROGRAM_DAYS})
       ${ADD_TO_RESULT_DAYS}`,
      key,
    );
  });
}

/** Remembers up to which miss the results were rebuilt. */
export async function updateRebuilt(db: Db, missed: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query('delete from results_recounted', []);
    await tx.query('insert into results_recounted values ($1)', [missed]);
  });
}
