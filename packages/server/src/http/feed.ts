import { errors, listEvents } from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readFeed } from '../feed/read-feed.ts';
import { addRoute } from './add-route.ts';
import { queryOf } from './body.ts';
import { hasTestKey } from './callers/credential.ts';
import { requireKnownParameters } from './callers/known-parameters.ts';
import { programOfKey, requireKeyStill } from './callers/program-of-key.ts';
import type { ServiceContext } from './service-context.ts';

export function addFeedRoute(app: FastifyInstance, ctx: ServiceContext): void {
  addRoute(app, listEvents, async (request) => {
    const { id } = await programOfKey(ctx, request);
    if (hasTestKey(request)) throw errors.testKeyReadsNothing();
    requireKnownParameters(listEvents, request);
    const { after, last, types, limit, wait } = queryOf(listEvents, request);
    const page = await whilePresent(request, (signal) =>
      readFeed(ctx, id, { after, last, types, limit, waitSeconds: wait, signal }),
    );
    if (wait > 0) await requireKeyStill(ctx, request);
    return { data: page.events, meta: { next_cursor: page.nextCursor, has_more: page.hasMore } };
  });
}

/** Runs the work with a signal that is aborted when the client closes the connection, so that nobody waits for a reader who has gone. */
async function whilePresent<Result>(
  { raw: { socket } }: FastifyRequest,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  socket.once('close', leave);
  try {
    return await work(gone.signal);
  } finally {
    // A connection serves many requests.
    socket.off('close', leave);
  }
}
