import { readSettings } from './configuration.ts';
import type { SvcEvents, SvcEventType } from './events.ts';
import type { FetchLike, SvcOptions } from './options.ts';
import { type Answer, errorOf } from './outcome.ts';
import { request, waitAfter } from './request.ts';
import { sleep } from './sleep.ts';
import { SvcError, SvcEventsGoneError } from './svc-error.ts';

/** An event of the feed, of one of these types. */
export type SvcEvent<Type extends SvcEventType = SvcEventType> = SvcEvents[Type];

export type EventsOptions<Type extends SvcEventType = SvcEventType> = {
  /** The sequence of the last event that you have processed. Without it, the feed starts with the oldest event that is kept. */
  after?: number | undefined;
  /** Instead of `after`: how many of the newest events to start with, at most 200. 0 starts with what happens from now on. */
  last?: number | undefined;
  /** Only events of these types. */
  types?: readonly Type[] | undefined;
  /** How many events to ask for at a time, at most 200: 100 by default. */
  limit?: number | undefined;
  /** Whether to wait for new events once all are read. True by default; with false, the iteration ends there. */
  follow?: boolean | undefined;
  /** Ends the iteration. */
  signal?: AbortSignal | undefined;
  /** Called before a failed request is retried. By default, the error is logged. */
  onRetry?: ((error: SvcError, waitMs: number) => void) | undefined;
};

/** Events that were read together. */
export type EventPage<Type extends SvcEventType = SvcEventType> = {
  events: SvcEvent<Type>[];
  /** Pass it as `after` to go on. Store it in the transaction that stores what you did with the events. */
  nextCursor: number;
  hasMore: boolean;
};

type Feed = { data: SvcEvent[]; meta: { next_cursor: number; has_more: boolean } };

const WAIT_SECONDS = 25;
/** A request may take this much longer than the service waits for an event. */
const SLACK_MS = 10_000;

/**
 * The feed in pages, oldest first. A failure that may pass is retried without end; any other rejects, and so does an event that is
 * missing in between. Aborting ends the iteration.
 */
export async function* readFeed<Type extends SvcEventType>(
  options: SvcOptions,
  given: EventsOptions<Type>,
  onWarnings: (body: unknown) => void,
): AsyncGenerator<EventPage<Type>, void, undefined> {
  const { types, follow = true, signal = new AbortController().signal } = given;
  let { after } = given;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    // The first answer tells where “now” is, and a reader who waited for it could miss something.
    const startsNow = isFirst && given.last !== undefined;
    const query = new URLSearchParams({ wait: String(follow && !startsNow ? WAIT_SECONDS : 0) });
    if (after !== undefined) query.set('after', String(after));
    if (startsNow) query.set('last', String(given.last));
    if (types) query.set('types', types.join(','));
    if (given.limit !== undefined) query.set('limit', String(given.limit));
    const body = await ask(options, query, given.onRetry ?? logRetry, signal);
    if (!body) return;
    onWarnings(body);
    const { data: events, meta } = body;
    if (!types) requireConsecutive(events, after);
    const hasMoved = meta.next_cursor !== after;
    after = meta.next_cursor;
    const page = { events: events as SvcEvent<Type>[], nextCursor: after, hasMore: meta.has_more };
    // While nothing happens there is nothing to tell, except where the feed starts.
    if (events.length > 0 || hasMoved || isFirst) yield page;
    if (!follow && !page.hasMore) return;
  }
}

/** The answer to one question, retried until there is one; undefined when the reader has gone. */
async function ask(
  options: SvcOptions,
  query: URLSearchParams,
  onRetry: (error: SvcError, waitMs: number) => void,
  signal: AbortSignal,
): Promise<Feed | undefined> {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const answer = await askOnce(options, query, signal).catch((error: SvcError) => error);
    if (!(answer instanceof SvcError)) return answer;
    if (signal.aborted) return undefined;
    if (!answer.isRetryable) throw answer;
    const waitMs = waitAfter(answer, attempt);
    onRetry(answer, waitMs);
    await sleep(waitMs, signal);
  }
  return undefined;
}

async function askOnce(options: SvcOptions, query: URLSearchParams, signal: AbortSignal): Promise<Feed> {
  const settings = readSettings(options, 'events');
  if (settings instanceof SvcError) throw settings;
  const answer = await request({
    fetch: options.fetch ?? (fetch as FetchLike),
    method: 'GET',
    url: `${settings.apiUrl}/api/v1/events?${query}`,
    headers: settings.headers,
    signal: AbortSignal.any([signal, AbortSignal.timeout(Number(query.get('wait')) * 1000 + SLACK_MS)]),
  });
  if (answer.status !== 200) throw refusal(answer);
  const feed = answer.body as Partial<Feed> | null | undefined;
  if (!Array.isArray(feed?.data) || typeof feed.meta?.next_cursor !== 'number') {
    const message =
      'The response is not a page of the feed: something between this server and the service has answered';
    throw new SvcError(message, { ...answer, code: 'unexpected_response', isRetryable: true });
  }
  return feed as Feed;
}

function refusal(answer: Answer): SvcError {
  const error = errorOf(answer);
  const { details } = (answer.body as { error?: { details?: { oldest?: unknown } } } | undefined)?.error ?? {};
  if (answer.status !== 410 || typeof details?.oldest !== 'number') return error;
  return new SvcEventsGoneError(error.message, { ...answer, oldest: details.oldest });
}

/** Sequences count without holes. One that is missing must not pass unnoticed. */
function requireConsecutive(events: { sequence: number }[], after: number | undefined): void {
  let last = after;
  for (const { sequence } of events) {
    if (last !== undefined && sequence !== last + 1) {
      const message = `The feed went from event ${last} to event ${sequence}`;
      throw new SvcError(message, { code: 'event_missing', isRetryable: false });
    }
    last = sequence;
  }
}

function logRetry(error: SvcError, waitMs: number): void {
  console.warn(`svc: the feed could not be read: ${error.message}. Trying again in ${Math.ceil(waitMs / 1000)} s.`);
}
