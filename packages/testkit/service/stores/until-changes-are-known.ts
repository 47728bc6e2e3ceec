import type { Db } from '../../../server/src/db/db.ts';
import { eventually } from '../eventually.ts';

/**
 * Waits until a service has heard of every change so far. Each removes what it is about from its memory. They are announced in
 * order, so a message that is sent now arrives after all others.
 */
export async function untilChangesAreKnown(db: Db): Promise<void> {
  let isKnown = false;
  await db.listen(
    'after_changes',
    () => {
      isKnown = true;
    },
    () => undefined,
  );
  await db.query(`select pg_notify('after_changes', '')`, []);
  await eventually(() => isKnown, Boolean);
}
