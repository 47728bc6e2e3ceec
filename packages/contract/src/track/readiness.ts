import { z } from 'zod';
import { errors } from '../errors/errors.ts';
import { defineRoute } from '../routing/route.ts';

export const READINESS_STATES = ['draft', 'configuring', 'ready', 'integration_verified', 'live_verified'] as const;
export const GATES = ['profile', 'economics', 'payout', 'tracking', 'live'] as const;

export const CHAIN_VERDICTS = ['attributed', 'unattributed', 'wrong_partner', 'pending'] as const;
const chainVerdict = z.enum(CHAIN_VERDICTS);

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
    payout: gate.extend({
      mode: z.enum(['processor', 'api']).nullable().describe('How the latest sale arrived; null if none has.'),
    }),
    tracking: gate.extend({
      checked_at: z.iso.datetime().nullable().describe('When the site or its server last sent an event, live or test.'),
      cookie_set_by: z
        .enum(['script', 'server'])
        .nullable()
        .describe(
          'Who set the click cookie of the latest visitor: the tracker, whose cookies Safari keeps for seven days, or your server, through a relay. Null before the first click of a page.',
        ),
    }),
    live: gate.extend({
      test_chain: z.object({ click: chainVerdict, lead: chainVerdict, sale: chainVerdict }),
    }),
  }),
  last_event_at: lastEvents.describe('Excluding test events.'),
  counts_24h: z.object({ clicks: z.int(), leads: z.int(), sales: z.int() }).describe('Excluding test events.'),
  key_rotated_at: z.iso.datetime().nullable(),
  poll: z.object({ retry_after_seconds: z.int() }),
});
z.globalRegistry.add(readinessReply, { id: 'Readiness' });

export type ReadinessReply = z.infer<typeof readinessReply>;

export const readiness = defineRoute({
  id: 'readiness',
  method: 'GET',
  path: '/api/v1/programs/me/readiness',
  summary: 'Get the readiness report',
  description:
    'Five gates, the first one that fails, and what to do next. Tests that the service makes itself pass none of them. Read-only.',
  auth: 'program-key',
  bucket: 'readiness',
  reply: readinessReply,
  refuseKey: (problem) => errors.readinessKey(errors.programKey(problem)),
  fail: errors.readinessFailed,
  statuses: [401],
});
