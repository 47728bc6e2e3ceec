import type { Queryable } from './db.ts';

// The embedded store has no background workers: what they would tidy up on a server is tidied by jobs.

export async function vacuumStore(db: Queryable): Promise<void> {
  await db.query('vacuum (analyze)');
}

/** What was folded in leaves dead rows behind. */
export async function vacuumDeltas(db: Queryable): Promise<void> {
  await db.query('vacuum click_deltas');
  await db.query('vacuum result_deltas');
}
