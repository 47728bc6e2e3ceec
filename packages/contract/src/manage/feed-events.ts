import { z } from 'zod';
import { feedEvent, feedTypes } from '../feed/feed.ts';
import { defineRoute } from '../routing/route.ts';
import { idFilter, listed, listQuery, many, one, PROGRAM } from './route.ts';
import { deliveryRow } from './webhooks.ts';

const FEED_EVENTS = `${PROGRAM}/feed-events`;

const shownEvent = feedEvent.extend({ sentence: z.string().describe('What happened, in words.') });

export const manageFeedEvents = defineRoute({
  ...listed,
  id: 'manageFeedEvents',
  path: FEED_EVENTS,
  summary: 'List the events of the feed',
  description:
    'What the feed and webhooks tell, newest first, as long as it is kept. To follow it, read `GET /api/v1/events`.',
  query: z.object({
    ...listQuery,
    types: feedTypes.optional().describe('Only events of these types, separated by commas.'),
    sequence: idFilter('sequence').describe('Only the event with this number.'),
  }),
  reply: many(shownEvent),
});

const deliveryOfEvent = deliveryRow
  .pick({
    id: true,
    status: true,
    attempts: true,
    last_status: true,
    last_error: true,
    next_attempt_at: true,
    created_at: true,
  })
  .extend({ webhook_id: z.int(), webhook_url: z.string() });
export type DeliveryOfEvent = z.input<typeof deliveryOfEvent>;

export const manageFeedEvent = defineRoute({
  ...listed,
  id: 'manageFeedEvent',
  path: `${FEED_EVENTS}/:sequence`,
  summary: 'Get an event of the feed',
  description: 'With its deliveries to webhook endpoints, newest first.',
  reply: one(shownEvent.extend({ deliveries: z.array(deliveryOfEvent) })),
  statuses: [401, 404],
});
