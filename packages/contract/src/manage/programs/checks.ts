import { z } from 'zod';
import { testChain } from '../../cli/events.ts';
import { defineRoute } from '../../routing/route.ts';
import { readinessReply } from '../../track/readiness.ts';
import { managed, one, PROGRAM } from '../route.ts';

export const manageReadiness = defineRoute({
  ...managed,
  id: 'manageReadiness',
  method: 'GET',
  path: `${PROGRAM}/readiness`,
  summary: 'Get the readiness report',
  description: 'The same report as `GET /api/v1/programs/me/readiness`.',
  role: 'viewer',
  reply: one(readinessReply),
  statuses: [401, 404],
});

export const REFUSAL_REASONS = ['origin_not_allowed', 'link_disabled'] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

export const manageRefusedCalls = defineRoute({
  ...managed,
  id: 'manageRefusedCalls',
  method: 'GET',
  path: `${PROGRAM}/refused-calls`,
  summary: 'List refused calls of web pages',
  description:
    'Clicks and leads of the last seven days that web pages sent and the service refused, counted by reason and origin, the latest first. At most 100 rows. Nothing else about these calls is kept.',
  role: 'viewer',
  reply: one(
    z.array(
      z.object({
        kind: z.enum(['click', 'lead']),
        reason: z.enum(REFUSAL_REASONS),
        origin: z
          .string()
          .describe('Empty if the caller sent none. `other origins` stands for those beyond 20 in an hour.'),
        calls: z.int(),
        last_at: z.iso.datetime(),
      }),
    ),
  ),
  statuses: [401, 404],
});

export const manageTestChain = defineRoute({
  ...managed,
  id: 'manageTestChain',
  proof: { none: 'Test events count nowhere.' },
  method: 'POST',
  path: `${PROGRAM}/test-chain`,
  summary: 'Run a test chain',
  description:
    'Sends a test click, lead and sale through the real tracking code, like `POST /api/v1/cli/test-event`. Both share a limit of ten runs per hour.',
  role: 'member',
  reply: one(testChain),
  statuses: [401, 404, 429],
});
