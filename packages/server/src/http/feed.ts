import { listEvents } from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readFeed } from '../feed/read-feed.ts';
import { addRoute } from './add-route.ts';
import { queryOf } from './body.ts';
import { programOfKey } from './callers/program-of-key.ts';
import type { ServiceContext } from './service-context.ts';

export function addFeedRoute(app: FastifyInstance, ctx: ServiceContext): void {
  addRoute(app, listEvents, async (request) => {
    const { id } = await programOfKey(ctx, request);
    const { wait, ...query } = queryOf(listEvents, request);
    const { after, types, limit } = query;
    const signal = untilGone(request);
    const page = await readFeed(ctx, id, { after, types, limit, waitSeconds: wait, signal });
    return { data: page.events, meta: { next_cursor: page.nextCursor, has_more: page.hasMore } };
  });
}

/** Aborted when the client closes the connection, so that nobody waits for a reader who has gone. */
function untilGone(request: FastifyRequest): AbortSignal {
  const gone = new AbortController();
  request.raw.socket.once('close', () => gone.abort());
  return gone.signal;
}
