import type { Db, Queryable } from '../db/db.ts';
import { listClickMonths } from '../db/schema/tables.ts';

export async function createClickPartitions(db: Queryable, months: Date[]): Promise<void> {
  for (const month of months) await db.query('select make_click_partition($1)', [month]);
}

/** The partitions of months that ended before `time`. */
export async function clickMonthsBefore(db: Queryable, time: Date): Promise<string[]> {
  const months = await listClickMonths(db);
  return months
    .filter((month) => month < time.toISOString().slice(0, 7))
    .map((month) => `clicks_${month.replace('-', '_')}`);
}

/** Drops or detaches a month of clicks. Writers wait behind it, so it gives up after two seconds; the next run retries. */
export async function retireClickMonth(db: Db, partition: string, action: 'drop' | 'detach'): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(`set local lock_timeout = '2s'`);
    await tx.query(`alter table clicks detach partition ${partition}`);
    if (action === 'drop') await tx.query(`drop table ${partition}`);
  });
}

/** Deletes old clicks from months without a partition. */
export async function deleteStrayClicks(db: Queryable, before: Date): Promise<number> {
  const rows = await db.query('delete from clicks_other_months where clicked_at < $1 returning 1', [before]);
  return rows.length;
}
