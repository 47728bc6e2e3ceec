import { errors, type FeedEvent, type FeedEventType } from '@svc/contract';
import type { Context } from '../context.ts';
import type { FeedReaders } from './feed-readers.ts';
import { type FeedBounds, findFeedBounds, listFeedEvents } from './feed-store.ts';
import { renderEvent } from './render-event.ts';

export type FeedRequest = {
  /** Events after this one; undefined: from the oldest that is kept. */
  after: number | undefined;
  /** Instead: how many of the newest events to start with. */
  last: number | undefined;
  types: FeedEventType[] | undefined;
  limit: number;
  waitSeconds: number;
  /** Aborted when the reader has gone. */
  signal: AbortSignal;
};

export type FeedPage = { events: FeedEvent[]; nextCursor: number; hasMore: boolean };

type FeedContext = Pick<Context, 'db'> & { feedReaders: FeedReaders };

/** By how much a timer of a busy node may end early. That little is not worth another read. */
const TIMER_MS = 50;

/** A page of the feed of a program. A reader who goes on from `nextCursor` sees every event once, or is told that some are gone. */
export async function readFeed(ctx: FeedContext, programId: number, request: FeedRequest): Promise<FeedPage> {
  const deadline = performance.now() + request.waitSeconds * 1000;
  let after = await requireCursor(ctx, programId, request);
  for (;;) {
    // Waits from before the read, so that nothing arrives unnoticed in between.
    const waited = new AbortController();
    const left = deadline - performance.now();
    const arrival =
      left > TIMER_MS ? ctx.feedReaders.wait(programId, left, AbortSignal.any([request.signal, waited.signal])) : null;
    const page = await readPage(ctx, programId, after, request);
    if (page.events.length > 0 || page.hasMore || !arrival || request.signal.aborted) {
      waited.abort();
      return page;
    }
    after = page.nextCursor;
    if (!(await arrival)) return page;
  }
}

async function readPage(
  { db, feedReaders }: FeedContext,
  programId: number,
  after: number,
  { types, limit }: FeedRequest,
): Promise<FeedPage> {
  const read = await feedReaders.share(`events ${programId} ${after} ${limit}`, () =>
    listFeedEvents(db, programId, after, limit + 1),
  );
  const consecutive = read.filter(({ sequence }, index) => sequence === after + 1 + index);
  const page = consecutive.slice(0, limit);
  const chosen = types ? page.filter(({ type }) => types.includes(type)) : page;
  return {
    events: chosen.map(renderEvent),
    nextCursor: after + page.length,
    hasMore: read.length > page.length,
  };
}

/** The place to read on from. What comes after a known place is there; otherwise the reader has missed something. */
async function requireCursor(
  { db, feedReaders }: FeedContext,
  programId: number,
  { after, last: count }: FeedRequest,
): Promise<number> {
  if (after !== undefined && count !== undefined) throw errors.feedStartsTwice();
  const place = after ?? 0;
  const bounds = await feedReaders.share(`bounds ${programId} ${place}`, () => findFeedBounds(db, programId, place));
  // Numbers that no event has, as after a restore, are not among the newest ones.
  if (count !== undefined) return startOf(await findFeedBounds(db, programId, bounds.last - count));
  if (after === undefined) return startOf(bounds);
  const { last, next } = bounds;
  if (after > last) throw errors.feedCursorInvalid();
  if (after < last && next !== after + 1) throw errors.feedEventsGone(next ?? last + 1);
  return after;
}

/** The place before the next event that is kept, or the end of the feed. */
const startOf = ({ last, next }: FeedBounds) => (next ?? last + 1) - 1;
