import type { Queryable } from '../db.ts';

// The embedded store has no autovacuum, so jobs vacuum it.

export async function vacuumStore(db: Queryable): Promise<void> {
  await db.query('vacuum (analyze)');
}

/** Removes the dead rows that a rollup leaves behind. */
export async function vacuumDeltas(db: Queryable): Promise<void> {
  await db.query('vacuum count_deltas');
}
