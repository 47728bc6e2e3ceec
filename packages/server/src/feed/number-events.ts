import type { Context } from '../context.ts';
import type { Transaction } from '../db/db.ts';
import { lockNumbering, type NumberedRange, numberEvents } from './feed-store.ts';

/** The embedded store does one thing at a time, so that a long batch would keep sales waiting. */
const BATCH = { postgres: 500, embedded: 50 };

export type NumberingContext = Pick<Context, 'db' | 'now' | 'log'> & {
  /** What else happens with numbered events, in the same transaction. */
  deliver: (tx: Transaction, numbered: NumberedRange[]) => Promise<void>;
};

/** Numbers everything that is committed, on one node at a time. */
export async function numberCommitted(ctx: NumberingContext, isStopping: () => boolean = () => false): Promise<void> {
  while (!isStopping()) {
    const count = await ctx.db.transaction((tx) => numberBatch(ctx, tx));
    if (count < BATCH[ctx.db.kind]) return;
  }
}

async function numberBatch(ctx: NumberingContext, tx: Transaction): Promise<number> {
  await lockNumbering(tx);
  // Only now: what another node has just numbered is no longer in the outbox.
  const numbered = await numberEvents(tx, BATCH[ctx.db.kind]);
  if (numbered.length > 0) await ctx.deliver(tx, numbered);
  return numbered.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}
