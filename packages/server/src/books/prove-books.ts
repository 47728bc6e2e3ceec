import type { BookDifference } from '@svc/contract';
import type { Context } from '../context.ts';
import { findBooks, insertOpeningBalances, listDifferences, updateProved, upsertOpened } from './book-store.ts';

/**
 * Compares the books of a program with its commissions, payouts and credits, and stores what differs. The first time, what came
 * before the books is entered.
 */
export function proveBooks(ctx: Pick<Context, 'db' | 'now'>, programId: number): Promise<BookDifference[]> {
  return ctx.db.transaction(async (tx) => {
    const now = ctx.now();
    const books = await findBooks(tx, programId);
    if (books && books.openedAt === null) await insertOpeningBalances(tx, programId, now);
    await upsertOpened(tx, programId, now);
    const differences = await listDifferences(tx, programId);
    await updateProved(tx, programId, differences, now);
    return differences;
  });
}
