import type { Queryable } from '../db/db.ts';
import { listClickMonths } from '../db/schema/tables.ts';
import { partitionOf } from './click-month-store.ts';

/** Shorter than the second after which Postgres looks for deadlocks, so a writer never becomes the victim of one. */
const LOCK_WAIT_MS = 200;

export async function createClickPartitions(db: Queryable, months: Date[]): Promise<void> {
  for (const month of months) await db.query('select make_click_partition($1)', [month]);
}

/** The months, as `YYYY-MM`, that have a partition and ended before `time`. */
export async function clickMonthsBefore(db: Queryable, time: Date): Promise<string[]> {
  const months = await listClickMonths(db);
  return months.filter((month) => month < time.toISOString().slice(0, 7));
}

/**
 * Drops or detaches a month of clicks in a transaction of the caller. `check` is called while nobody else can change the month;
 * it can still be read. Postgres detaches nothing concurrently from a table with a default partition, so new clicks wait while this
 * waits for those who read clicks. It gives up soon, for the caller to retry.
 */
export async function retireClickMonth(
  tx: Queryable,
  month: string,
  action: 'drop' | 'detach',
  check: () => Promise<void> = async () => undefined,
): Promise<void> {
  const partition = partitionOf(month);
  await tx.query(`set local lock_timeout = ${LOCK_WAIT_MS}`);
  await tx.query(`lock table ${partition} in share mode`);
  await check();
  await tx.query(`alter table clicks detach partition ${partition}`);
  if (action === 'drop') await tx.query(`drop table ${partition}`);
}

/** Deletes old clicks from months without a partition. */
export async function deleteStrayClicks(db: Queryable, before: Date): Promise<number> {
  const rows = await db.query('delete from clicks_other_months where clicked_at < $1 returning 1', [before]);
  return rows.length;
}
