import { z } from 'zod';
import { feedPage, feedQuery, requireCursor } from '../feed/feed.ts';
import { defineRoute } from '../routing/route.ts';
import { managed, PROGRAM } from './route.ts';

export const manageFeed = defineRoute({
  ...managed,
  id: 'manageFeed',
  method: 'GET',
  path: `${PROGRAM}/feed`,
  summary: 'Read the feed of events with an account',
  description:
    'What `GET /api/v1/events` returns for the key of the program, without waiting for new events. Oldest first.',
  role: 'viewer',
  precheck: requireCursor,
  query: z.object(feedQuery),
  reply: feedPage,
  statuses: [400, 401, 404, 410],
});
