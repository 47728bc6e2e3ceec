import type { Db, Queryable } from '../db/db.ts';

/** The columns shared by the view `results` and all counts derived from it. */
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

// Triggers append a row to `result_deltas` for every change to a lead, sale or commission. Counts are written in key order, so
// that all nodes lock them in the same order.

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

/** Adds all pending deltas of leads, sales and commissions to their days in one statement. */
export async function rollUpResults(db: Queryable): Promise<number> {
  const rows = await db.query(
    `with taken as (delete from result_deltas returning *), totals as (${ADD_TO_PROGRAM_DAYS}) ${ADD_TO_RESULT_DAYS}`,
    [],
  );
  return rows.length;
}

/** How many results could not be counted so far, and how many of them the last rebuild had covered. */
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

/** Every day from a program's first lead or sale to its last, plus any other day with results or counts, oldest first. */
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
       union select program_id, (created_at at time zone 'UTC')::date from commissions where sale_id is null
       union select program_id, day from program_days
       union select program_id, day from result_days
       union select program_id, day from result_deltas) days
     order by day, program_id`,
    [],
  );
}

/**
 * Recounts one day of a program from its rows, all read from one snapshot. A delta commits together with its change, so each
 * change is either in the rows read here, or its delta is left for the next roll-up. No table is locked and nothing waits.
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

/** Stores how many missed results the rebuild has covered. */
export async function updateRebuilt(db: Db, missed: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query('delete from results_recounted', []);
    await tx.query('insert into results_recounted values ($1)', [missed]);
  });
}
