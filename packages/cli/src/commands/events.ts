import { MAX_FEED_PAGE } from '@svc/contract';
import { eventLine } from '../feed/event-line.ts';
import { type FeedEvent, type FeedQuery, followFeed, readPage } from '../feed/follow-feed.ts';
import { sequenceOf, wholeNumber } from '../feed/numbers.ts';
import type { Session } from '../session.ts';

export type EventsOptions = { follow?: boolean; after?: string; types?: string; limit?: string };

const USUAL_LIMIT = 20;

/** Prints the newest events, or those after a sequence; with --follow, also each one that happens. */
export async function events(session: Session, options: EventsOptions): Promise<void> {
  const after = sequenceOf(options.after);
  const limit = wholeNumber('--limit', options.limit, 0, MAX_FEED_PAGE) ?? USUAL_LIMIT;
  if (options.follow)
    return follow(session, { ...(after === undefined ? { last: limit } : { after }), ...typesOf(options) });
  const found =
    after === undefined ? await newest(session, limit, options) : await following(session, after, limit, options);
  session.out.result(found, found.length > 0 ? found.map(eventLine) : 'No events.');
}

async function follow(session: Session, start: FeedQuery): Promise<void> {
  for await (const event of followFeed(session, start, session.untilInterrupted())) {
    session.out.item(event, eventLine(event));
  }
}

/** The newest events. Of certain types, those among the newest 200. */
async function newest(session: Session, limit: number, { types }: EventsOptions): Promise<FeedEvent[]> {
  const last = types === undefined ? limit : MAX_FEED_PAGE;
  const { data } = await readPage(session, { last, limit: MAX_FEED_PAGE, ...typesOf({ types }) });
  return limit === 0 ? [] : data.slice(-limit);
}

/** The first events after a sequence. */
async function following(
  session: Session,
  start: number,
  limit: number,
  { types }: EventsOptions,
): Promise<FeedEvent[]> {
  const found: FeedEvent[] = [];
  for (let after = start; found.length < limit; ) {
    const { data, meta } = await readPage(session, { after, limit: MAX_FEED_PAGE, ...typesOf({ types }) });
    found.push(...data);
    if (!meta.has_more) break;
    after = meta.next_cursor;
  }
  return found.slice(0, limit);
}

const typesOf = ({ types }: EventsOptions) => (types === undefined ? {} : { types });
