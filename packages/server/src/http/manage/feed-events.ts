import { errors, manageFeedEvent, manageFeedEvents } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { listNewestFeedEvents } from '../../feed/feed-list-store.ts';
import { listDeliveriesOfEvent } from '../../webhooks/delivery-list-store.ts';
import { describeEvent } from '../../webhooks/describe-event.ts';
import { maskedUrl } from '../../webhooks/masked-url.ts';
import { queryOf } from '../body.ts';
import { addProgramRoute } from '../callers/program-access.ts';
import { idParam } from '../id-param.ts';
import { idOfCursor } from '../lists/cursor.ts';
import { pageOf } from '../lists/page-of.ts';
import type { ServiceContext } from '../service-context.ts';

export function addManageFeedEventRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addProgramRoute(app, ctx, manageFeedEvents, async ({ program }, request) => {
    const { limit, cursor, types, sequence } = queryOf(manageFeedEvents, request);
    const filter = { types, sequence, before: idOfCursor(cursor) ?? undefined };
    const events = await listNewestFeedEvents(ctx.db, program.id, filter, limit + 1);
    const described = events.map((event) => ({ ...event, sentence: describeEvent('page', event) }));
    return pageOf(described, limit, (event) => [event.sequence]);
  });

  addProgramRoute(app, ctx, manageFeedEvent, async ({ program }, request) => {
    const sequence = idParam(request, 'sequence');
    const [event] = await listNewestFeedEvents(ctx.db, program.id, { sequence }, 1);
    if (!event) throw errors.notFound();
    const sent = await listDeliveriesOfEvent(ctx.db, program.id, sequence);
    const deliveries = sent.map((each) => ({ ...each, webhook_url: maskedUrl(each.webhook_url) }));
    return { data: { ...event, sentence: describeEvent('page', event), deliveries } };
  });
}
