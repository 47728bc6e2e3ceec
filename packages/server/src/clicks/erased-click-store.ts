import type { Db, Queryable } from '../db/db.ts';

/** Removes what clicks of the customers say about their visits. */
export async function eraseVisits(db: Queryable, customerIds: number[]): Promise<void> {
  await db.query('select erase_clicks($1::bigint[])', [customerIds]);
}

/**
 * The same for clicks that were being written while their customers were erased. Clicks of others wait for a moment: they read
 * nothing that could tell them.
 */
export function eraseLateVisits(db: Db, customerIds: number[]): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.query('lock table clicks in share row exclusive mode');
    await eraseVisits(tx, customerIds);
  });
}
