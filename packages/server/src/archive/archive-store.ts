import type { Queryable } from '../db/db.ts';
import type { ArchivedFile } from './archived-file.ts';

export type RetiredMonth = { month: string; files: ArchivedFile[] | null };

/** Notes that a month of clicks has left the store. */
export async function insertRetiredMonth(db: Queryable, { month, files }: RetiredMonth, now: Date): Promise<void> {
  await db.query(
    `insert into retired_click_months (month, files, retired_at) values ($1, $2, $3) on conflict (month) do nothing`,
    [month, files && JSON.stringify(files), now],
  );
}

/** The archived months from `from` on, the newest first. */
export async function listArchivedMonths(
  db: Queryable,
  from: string,
): Promise<{ month: string; files: ArchivedFile[] }[]> {
  return db.query(
    `select month, files from retired_click_months where files is not null and month >= $1 order by month desc`,
    [from],
  );
}

export async function findArchivedMonth(db: Queryable, month: string): Promise<ArchivedFile[] | null> {
  const [found] = await db.query<{ files: ArchivedFile[] | null }>(
    'select files from retired_click_months where month = $1',
    [month],
  );
  return found?.files ?? null;
}

export async function updateArchivedFiles(db: Queryable, month: string, files: ArchivedFile[]): Promise<void> {
  await db.query('update retired_click_months set files = $2 where month = $1', [month, JSON.stringify(files)]);
}

/** Remembers that clicks of these customers have to be cleared in the files of every archived month. */
export async function queueArchivedErasures(db: Queryable, customerIds: number[]): Promise<void> {
  await db.query(
    `insert into archived_erasures (month, customer_id)
     select m.month, c.id from retired_click_months m cross join unnest($1::bigint[]) as c(id) where m.files is not null
     on conflict do nothing`,
    [customerIds],
  );
}

export function listArchivedErasures(db: Queryable): Promise<{ month: string; customerIds: number[] }[]> {
  return db.query(
    `select month, json_agg(customer_id order by customer_id) as "customerIds" from archived_erasures
     group by month order by month`,
  );
}

export async function deleteArchivedErasures(db: Queryable, month: string, customerIds: number[]): Promise<void> {
  await db.query('delete from archived_erasures where month = $1 and customer_id = any ($2::bigint[])', [
    month,
    customerIds,
  ]);
}

/** Until when months are retired whose visitors have not been looked at since. Null if all have. */
export async function findUnvisitedMonth(db: Queryable): Promise<string | null> {
  const [found] = await db.query<{ month: string | null }>(
    'select max(month) as month from retired_click_months where visitors_removed_at is null',
  );
  return found?.month ?? null;
}

export async function noteVisitorsRemoved(db: Queryable, until: string, now: Date): Promise<void> {
  await db.query(
    'update retired_click_months set visitors_removed_at = $2 where month <= $1 and visitors_removed_at is null',
    [until, now],
  );
}

/** How many people were erased: it changes with everybody whose clicks are cleared. */
export async function countErasures(db: Queryable): Promise<number> {
  const [counted] = await db.query<{ count: number }>('select count(*) as count from erasures');
  return counted?.count ?? 0;
}

/** When a customer of the program first clicked, and whether they were erased. */
export async function findArchivedVisitor(
  db: Queryable,
  programId: number,
  customerId: number,
): Promise<{ since: Date; isErased: boolean } | null> {
  const [found] = await db.query<{ since: Date; isErased: boolean }>(
    `select clicked_at as since, erased_at is not null as "isErased" from customers
     where program_id = $1 and id = $2 and clicked_at is not null`,
    [programId, customerId],
  );
  return found ?? null;
}
