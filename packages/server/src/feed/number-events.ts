import type { FeedSubject } from '@svc/contract';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/db.ts';
import { findReasons } from '../decisions/decision-store.ts';
import { takeFromOutbox, type WaitingEvent } from '../outbox/outbox-store.ts';
import { insertFeedEvents, lockNumbering, type NumberedEvent, takeSequences } from './feed-store.ts';
import { type RowOf, renderEvent } from './render-event.ts';

const BATCH = 500;

export type NumberingContext = Pick<Context, 'db' | 'now' | 'log'> & {
  rowOf: Record<FeedSubject, RowOf>;
  /** What else happens with numbered events, in the same transaction. */
  deliver: (tx: Transaction, events: NumberedEvent[]) => Promise<void>;
};

/** Numbers everything that is committed, on one node at a time. Returns how many events it were. */
export async function numberEvents(ctx: NumberingContext, isStopping: () => boolean = () => false): Promise<number> {
  let numbered = 0;
  while (!isStopping()) {
    const count = await ctx.db.transaction((tx) => numberBatch(ctx, tx));
    numbered += count;
    if (count < BATCH) break;
  }
  return numbered;
}

async function numberBatch(ctx: NumberingContext, tx: Transaction): Promise<number> {
  await lockNumbering(tx);
  // Only now: what another node has just numbered is no longer in the outbox.
  const waiting = await takeFromOutbox(tx, BATCH);
  if (waiting.length === 0) return 0;
  const reasons = await findReasons(
    tx,
    waiting.flatMap(({ decisionId }) => decisionId ?? []),
  );
  const counts = new Map<number, number>();
  for (const { programId } of waiting) counts.set(programId, (counts.get(programId) ?? 0) + 1);
  const next = await takeSequences(tx, counts);
  const events = waiting.map((event): NumberedEvent => {
    const sequence = next.get(event.programId)!;
    next.set(event.programId, sequence + 1);
    const reason = reasons.get(event.decisionId ?? 0);
    return { ...kept(event), sequence, ...renderEvent({ ...event, sequence, reason }, ctx.rowOf[event.subject]) };
  });
  await insertFeedEvents(tx, events);
  await ctx.deliver(tx, events);
  return waiting.length;
}

const kept = ({ programId, eventId, type, createdAt }: WaitingEvent) => ({ programId, eventId, type, createdAt });
