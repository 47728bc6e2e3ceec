import { manageFeed } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { readFeed } from '../../feed/read-feed.ts';
import { queryOf } from '../body.ts';
import { addProgramRoute } from '../callers/program-access.ts';
import type { ServiceContext } from '../service-context.ts';

export function addManageFeedRoute(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageFeed, async ({ program }, request) => {
    const { after, last, types, limit } = queryOf(manageFeed, request);
    const noWait = { waitSeconds: 0, signal: AbortSignal.abort() };
    const page = await readFeed(ctx, program.id, { after, last, types, limit, ...noWait });
    return { data: page.events, meta: { next_cursor: page.nextCursor, has_more: page.hasMore } };
  });
}
