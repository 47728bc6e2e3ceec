import { testChain } from '../cli/events.ts';
import { defineRoute } from '../routing/route.ts';
import { readinessReply } from '../track/readiness.ts';
import { managed, one, PROGRAM } from './route.ts';

export const manageReadiness = defineRoute({
  ...managed,
  id: 'manageReadiness',
  method: 'GET',
  path: `${PROGRAM}/readiness`,
  summary: 'Report how far the integration has come',
  description: 'The same report as `GET /api/v1/programs/me/readiness`.',
  role: 'member',
  reply: one(readinessReply),
  statuses: [401, 404],
});

export const manageTestChain = defineRoute({
  ...managed,
  id: 'manageTestChain',
  method: 'POST',
  path: `${PROGRAM}/test-chain`,
  summary: 'Send a test click, lead and sale through the real tracking code',
  description: 'The same chain as that of `POST /api/v1/cli/test-event`, with the same ten runs an hour.',
  role: 'member',
  reply: one(testChain),
  statuses: [401, 404, 429],
});
