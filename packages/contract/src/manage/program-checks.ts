import { testChain } from '../cli/events.ts';
import { defineRoute } from '../routing/route.ts';
import { readinessReply } from '../track/readiness.ts';
import { managed, one, PROGRAM } from './route.ts';

export const manageReadiness = defineRoute({
  ...managed,
  id: 'manageReadiness',
  method: 'GET',
  path: `${PROGRAM}/readiness`,
  summary: 'Get the readiness report',
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
  summary: 'Run a test chain',
  description:
    'Sends a test click, lead and sale through the real tracking code, like `POST /api/v1/cli/test-event`. Both share a limit of ten runs per hour.',
  role: 'member',
  reply: one(testChain),
  statuses: [401, 404, 429],
});
