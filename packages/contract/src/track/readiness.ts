import { z } from 'zod';
import { errors } from '../errors/errors.ts';
import { defineRoute } from '../routing/route.ts';

export const READINESS_STATES = ['draft', 'configuring', 'ready', 'integration_verified', 'live_verified'] as const;
export const GATES = ['profile', 'economics', 'payout', 'tracking', 'live'] as const;

const gate = z.object({ status: z.enum(['pass', 'fail', 'unknown']), next_action: z.string().optional() });
const lastEvents = z.object({
  click: z.iso.datetime().nullable(),
  lead: z.iso.datetime().nullable(),
  sale: z.iso.datetime().nullable(),
});

export const readinessReply = z.object({
  program_id: z.int(),
  state: z.enum(READINESS_STATES),
  integration_verified: z.boolean(),
  blocker: z.enum(GATES).nullable(),
  gates: z.object({
    profile: gate,
    economics: gate,
    payout: gate,
    tracking: gate,
    live: gate.extend({
      test_chain: z.object({ click: z.boolean(), lead: z.boolean(), sale: z.boolean() }),
    }),
  }),
  last_event_at: lastEvents.describe('Excluding test events.'),
  counts_24h: z.object({ clicks: z.int(), leads: z.int(), sales: z.int() }).describe('Excluding test events.'),
  key_rotated_at: z.iso.datetime().nullable(),
  poll: z.object({ retry_after_seconds: z.int() }),
});

export type ReadinessReply = z.infer<typeof readinessReply>;

export const readiness = defineRoute({
  id: 'readiness',
  method: 'GET',
  path: '/api/v1/programs/me/readiness',
  summary: 'Get the readiness report',
  description: 'Five gates, the first one that fails, and what to do next. Read-only.',
  auth: 'program-key',
  bucket: 'readiness',
  reply: readinessReply,
  refuseKey: (problem) => errors.readinessKey(errors.programKey(problem)),
  fail: errors.readinessFailed,
  statuses: [401],
});
