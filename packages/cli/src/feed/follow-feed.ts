import { setTimeout as sleep } from 'node:timers/promises';
import { listEvents, type ReplyOf } from '@svc/contract';
import { Failure } from '../failure.ts';
import { programKey, type Session } from '../session.ts';

type FeedPage = ReplyOf<typeof listEvents>;
export type FeedEvent = FeedPage['data'][number];
export type FeedQuery = { after?: number; last?: number; types?: string; limit?: number; wait?: number };

const WAIT_SECONDS = 20;
const PAUSE_SECONDS = 10;

export function readPage(session: Session, query: FeedQuery, signal?: AbortSignal): Promise<FeedPage> {
  return session.api.call(listEvents, { token: programKey(session), query: query as never, signal });
}

/**
 * Every event from a place in the feed on, as it happens, until the signal. The first page has to succeed; after that, the command
 * outlives a service that cannot be reached.
 */
export async function* followFeed(
  session: Session,
  start: FeedQuery,
  signal: AbortSignal,
  onStart: (page: FeedPage) => void = () => undefined,
): AsyncGenerator<FeedEvent, void, undefined> {
  const { types } = start;
  // Without a wait: the answer says where the feed goes on, and nothing that happens from then on is missed.
  let page = await readPage(session, start, signal).catch((error) => {
    if (!signal.aborted) throw error;
  });
  if (page) onStart(page);
  while (page) {
    for (const event of page.data) {
      if (signal.aborted) return;
      yield event;
    }
    const query = { after: page.meta.next_cursor, types, wait: page.meta.has_more ? 0 : WAIT_SECONDS };
    page = await readOn(session, query, signal);
  }
}

/** The next page, however long it takes; undefined when the command is to end. */
async function readOn(session: Session, query: FeedQuery, signal: AbortSignal): Promise<FeedPage | undefined> {
  while (!signal.aborted) {
    try {
      return await readPage(session, query, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!(error instanceof Failure) || !mayPass(error)) throw error;
      session.out.warn(`${error.message} Trying again in ${PAUSE_SECONDS} s.`);
      await sleep(PAUSE_SECONDS * 1000, undefined, { signal }).catch(() => undefined);
    }
  }
  return undefined;
}

/** Whether the service may answer later. */
function mayPass({ parts: { status, code } }: Failure): boolean {
  return code === 'unreachable' || status === 429 || (status !== undefined && status >= 500);
}
