import type { Context } from '../context.ts';
import type { Transaction } from '../db/db.ts';
import { type AnnouncedRows, insertIntoOutbox, sendToOutbox } from './outbox-store.ts';

/**
 * Tells the outside what the transaction makes true, with the rows as it leaves them. Called by the verb that does it, after its
 * last write.
 */
export function announce(
  { now, announcer }: Pick<Context, 'now' | 'announcer'>,
  tx: Transaction,
  announced: AnnouncedRows[],
): void {
  if (announced.every(({ events }) => events.length === 0)) return;
  sendToOutbox(tx, announced, now());
  if (announcer) tx.afterCommit(announcer.wake);
}

/** The same for things that a transaction makes true by the thousand: what follows in it comes after them. */
export async function announceMany(
  { now, announcer }: Pick<Context, 'now' | 'announcer'>,
  tx: Transaction,
  announced: AnnouncedRows[],
): Promise<void> {
  if (announced.every(({ events }) => events.length === 0)) return;
  await insertIntoOutbox(tx, announced, now());
  if (announcer) tx.afterCommit(announcer.wake);
}
