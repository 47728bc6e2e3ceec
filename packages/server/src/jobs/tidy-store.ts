import type { Queryable } from '../db/db.ts';

// The embedded store has no background workers: what they would tidy up on a server is tidied by jobs.

export async function tidyStore(db: Queryable): Promise<void> {
  await db.query('vacuum (analyze)');
}

/** What was folded in leaves dead rows behind. */
export async function tidyDeltas(db: Queryable): Promise<void> {
  await db.query('vacuum click_deltas');
  await db.query('vacuum result_deltas');
}
