import type { Queryable } from '../db/db.ts';
import { HOUR_MS } from '../time.ts';

/**
 * Takes one of the program's chain runs for this hour, or returns how many seconds to wait until one is free. The
 * program's row is locked meanwhile, so that two concurrent calls cannot both take the last run.
 */
export async function takeChainRun(
  db: Queryable,
  programId: number,
  maxPerHour: number,
  now: Date,
): Promise<{ taken: true } | { taken: false; retryAfterSeconds: number }> {
  await db.query('select id from programs where id = $1 for update', [programId]);
  const since = new Date(now.getTime() - HOUR_MS);
  await db.query('delete from chain_runs where program_id = $1 and ran_at <= $2', [programId, since]);
  const [runs] = await db.query<{ count: number; oldest: Date | null }>(
    'select count(*) as count, min(ran_at) as oldest from chain_runs where program_id = $1',
    [programId],
  );
  if (runs?.oldest && runs.count >= maxPerHour) {
    const msLeft = runs.oldest.getTime() + HOUR_MS - now.getTime();
    return { taken: false, retryAfterSeconds: Math.max(1, Math.ceil(msLeft / 1000)) };
  }
  await db.query('insert into chain_runs (program_id, ran_at) values ($1, $2)', [programId, now]);
  return { taken: true };
}
