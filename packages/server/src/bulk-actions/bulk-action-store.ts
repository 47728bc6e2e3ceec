import type { BulkActionRow, BulkChange, BulkKind } from '@svc/contract';
import type { Actor } from '../audit/audit-store.ts';
import type { Queryable } from '../db/db.ts';

export type NewBulkAction = {
  programId: number;
  kind: BulkKind;
  change: BulkChange;
  total: number;
  actor: Actor;
};

/** Who started it, without the account: that is a column of its own, which is cleared with the account. */
type StoredActor = Pick<Actor, 'requestId' | 'kind' | 'id' | 'name' | 'onlyProgramId'>;

type StoredBulkAction = Omit<BulkActionRow, 'created_at' | 'finished_at' | 'skipped'> & {
  created_at: Date;
  finished_at: Date | null;
  skipped: Record<string, number>;
};

const COLUMNS = `b.id, b.kind, b.change, b.status, b.stop_reason, b.total, b.changed, b.skipped, b.created_at, b.finished_at,
  (select u.name from users u where u.id = b.created_by) as started_by`;

function rowOf({ skipped, created_at, finished_at, ...row }: StoredBulkAction): BulkActionRow {
  return {
    ...row,
    skipped: Object.entries(skipped).map(([reason, count]) => ({ reason, count })),
    created_at: created_at.toISOString(),
    finished_at: finished_at === null ? null : finished_at.toISOString(),
  };
}

/** Adds a bulk action that is due at once, or done if there is nothing to do; null when one of its kind is running in the program. */
export async function insertBulkAction(
  db: Queryable,
  { programId, kind, change, total, actor }: NewBulkAction,
  now: Date,
): Promise<number | null> {
  const { userId, ...others } = actor;
  const stored: StoredActor = { kind: userId === null ? 'operator' : 'person', ...others };
  const [added] = await db.query<{ id: number }>(
    `insert into bulk_actions (program_id, kind, change, total, created_by, actor, due_at, created_at, status, finished_at)
     select $1, $2, $3, $4, $5, $6, $7, $7, case when $4 = 0 then 'done' else 'running' end,
       case when $4 = 0 then $7::timestamptz end
     on conflict (program_id, kind) where status = 'running' do nothing returning id`,
    [programId, kind, JSON.stringify(change), total, userId, JSON.stringify(stored), now],
  );
  return added?.id ?? null;
}

export async function insertSlices(db: Queryable, bulkActionId: number, slices: unknown[][]): Promise<void> {
  await db.query(
    `insert into bulk_action_slices (bulk_action_id, number, items)
     select $1, number, items from json_array_elements($2::json) with ordinality i (items, number)`,
    [bulkActionId, JSON.stringify(slices)],
  );
}

/** Deletes those that finished before the time. */
export async function deleteFinished(db: Queryable, programId: number, before: Date): Promise<void> {
  await db.query('delete from bulk_actions where program_id = $1 and finished_at < $2', [programId, before]);
}

export async function findBulkAction(db: Queryable, programId: number, id: number): Promise<BulkActionRow | null> {
  const [found] = await db.query<StoredBulkAction>(
    `select ${COLUMNS} from bulk_actions b where b.program_id = $1 and b.id = $2`,
    [programId, id],
  );
  return found ? rowOf(found) : null;
}

/** Those of the program, newest first. */
export async function listBulkActions(
  db: Queryable,
  programId: number,
  { before, limit }: { before: number | null; limit: number },
): Promise<BulkActionRow[]> {
  const found = await db.query<StoredBulkAction>(
    `select ${COLUMNS} from bulk_actions b where b.program_id = $1 and ($2::bigint is null or b.id < $2)
     order by b.id desc limit $3`,
    [programId, before, limit],
  );
  return found.map(rowOf);
}

/** When the next slice of any program is due; null when no bulk action is running. */
export async function findNextDueSlice(db: Queryable): Promise<Date | null> {
  const [next] = await db.query<{ dueAt: Date | null }>(
    `select min(due_at) as "dueAt" from bulk_actions where status = 'running'`,
  );
  return next?.dueAt ?? null;
}

export type RunningBulkAction = {
  id: number;
  programId: number;
  workspaceId: number;
  kind: BulkKind;
  change: BulkChange;
  failures: number;
  actor: Actor;
};

/** The bulk action that has waited longest, locked, unless another node works on it; null when none is due. */
export async function lockNextBulkAction(db: Queryable, now: Date): Promise<RunningBulkAction | null> {
  const [found] = await db.query<Omit<RunningBulkAction, 'actor'> & { userId: string | null; actor: StoredActor }>(
    `select b.id, b.program_id as "programId", p.advertiser_id as "workspaceId", b.kind, b.change, b.failures,
       b.created_by as "userId", b.actor
     from bulk_actions b join programs p on p.id = b.program_id
     where b.status = 'running' and b.due_at <= $1 order by b.due_at, b.id limit 1 for update of b skip locked`,
    [now],
  );
  if (!found) return null;
  const { userId, actor, ...action } = found;
  return { ...action, actor: { ...actor, userId } };
}

// A request to stop waits for the slice that is under way. Waiting for the row is not enough: the next slice can lock it first.
const TO_BE_STOPPED = `hashtextextended('svc bulk action to be stopped', $1)`;

/** Waits until no slice of the bulk action is under way, and keeps others from beginning. */
export async function lockBetweenSlices(tx: Queryable, bulkActionId: number): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(${TO_BE_STOPPED})`, [bulkActionId]);
}

/** Whether a slice may begin: no request to stop is waiting. From now on, such a request waits until this transaction ends. */
export async function mayBeginSlice(tx: Queryable, bulkActionId: number): Promise<boolean> {
  const sql = `select pg_try_advisory_xact_lock_shared(${TO_BE_STOPPED}) as may`;
  const [row] = await tx.query<{ may: boolean }>(sql, [bulkActionId]);
  return row?.may === true;
}

/** Takes the next slice from what is left to do; null when nothing is. */
export async function takeSlice(db: Queryable, bulkActionId: number): Promise<unknown[] | null> {
  const [slice] = await db.query<{ items: unknown[] }>(
    `delete from bulk_action_slices where bulk_action_id = $1
       and number = (select min(number) from bulk_action_slices where bulk_action_id = $1) returning items`,
    [bulkActionId],
  );
  return slice?.items ?? null;
}

export type SliceResult = { changed: number; skipped: Record<string, number> };

/** Adds what became of a slice. Without any slice left, the bulk action is done. */
export async function updateProgress(
  db: Queryable,
  bulkActionId: number,
  { changed, skipped }: SliceResult,
  now: Date,
): Promise<void> {
  await db.query(
    `update bulk_actions b set changed = b.changed + $2, failures = 0, due_at = $4,
       skipped = (
         select coalesce(jsonb_object_agg(key, count), '{}') from (
           select key, sum(value::int) as count from (
             select * from jsonb_each_text(b.skipped) union all select * from jsonb_each_text($3)
           ) each group by key
         ) sums
       ),
       status = case when more then 'running' else 'done' end, finished_at = case when more then null else $4::timestamptz end
     from (select exists (select from bulk_action_slices where bulk_action_id = $1) as more) left_over
     where b.id = $1`,
    [bulkActionId, changed, JSON.stringify(skipped), now],
  );
}

/** Notes that a slice has failed: it is tried again at the time or, without one, never. */
export async function updateFailed(
  db: Queryable,
  bulkActionId: number,
  { retryAt, now }: { retryAt: Date | null; now: Date },
): Promise<void> {
  await db.query(
    `update bulk_actions set failures = failures + 1, due_at = coalesce($2, due_at),
       status = case when $2::timestamptz is null then 'failed' else status end,
       finished_at = case when $2::timestamptz is null then $3::timestamptz end
     where id = $1 and status = 'running'`,
    [bulkActionId, retryAt, now],
  );
  // They can hold names and addresses.
  if (retryAt === null) await db.query('delete from bulk_action_slices where bulk_action_id = $1', [bulkActionId]);
}

/** Stops a running bulk action between two slices, for a reason, and returns what it was about; null when none of this id is running. */
export async function updateStopped(
  db: Queryable,
  programId: number,
  bulkActionId: number,
  { reason, now }: { reason: NonNullable<BulkActionRow['stop_reason']>; now: Date },
): Promise<{ kind: BulkKind; total: number; changed: number } | null> {
  const [stopped] = await db.query<{ kind: BulkKind; total: number; changed: number }>(
    `update bulk_actions set status = 'stopped', stop_reason = $4, finished_at = $3
     where program_id = $1 and id = $2 and status = 'running' returning kind, total, changed`,
    [programId, bulkActionId, now, reason],
  );
  if (stopped) await db.query('delete from bulk_action_slices where bulk_action_id = $1', [bulkActionId]);
  return stopped ?? null;
}
