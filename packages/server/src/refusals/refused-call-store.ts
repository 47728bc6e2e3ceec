import type { Queryable } from '../db/db.ts';
import type { RefusedCall } from './refusal.ts';

/** Adds counts of refused calls. They are locked in key order, so that nodes wait for each other instead of deadlocking. */
export async function addRefusedCalls(db: Queryable, calls: RefusedCall[]): Promise<void> {
  const rows = calls.map(({ programId, hour, kind, reason, origin, calls: count, lastAt }) => ({
    program_id: programId,
    hour,
    kind,
    reason,
    origin,
    calls: count,
    last_at: lastAt,
  }));
  await db.query(
    `insert into refused_calls as known (program_id, hour, kind, reason, origin, calls, last_at)
     select program_id, hour, kind, reason, origin, calls, last_at
     from json_populate_recordset(null::refused_calls, $1::json) order by 1, 2, 3, 4, 5
     on conflict (program_id, hour, kind, reason, origin)
     do update set calls = known.calls + excluded.calls, last_at = greatest(known.last_at, excluded.last_at)`,
    [JSON.stringify(rows)],
  );
}

export type RefusedOrigin = Pick<RefusedCall, 'kind' | 'reason' | 'origin' | 'calls' | 'lastAt'>;

/** The refused calls of a program since a time, by kind, reason and origin, the latest first. */
export function listRefusedCalls(
  db: Queryable,
  programId: number,
  since: Date,
  limit: number,
): Promise<RefusedOrigin[]> {
  return db.query<RefusedOrigin>(
    `select kind, reason, origin, sum(calls)::bigint as calls, max(last_at) as "lastAt"
     from refused_calls where program_id = $1 and hour >= $2
     group by kind, reason, origin order by max(last_at) desc, kind, reason, origin limit $3`,
    [programId, since, limit],
  );
}

export async function deleteRefusedCalls(db: Queryable, before: Date): Promise<number> {
  const rows = await db.query('delete from refused_calls where hour < $1 returning 1', [before]);
  return rows.length;
}
