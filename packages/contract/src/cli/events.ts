import { z } from 'zod';
import { errors } from '../errors/errors.ts';
import { defineRoute } from '../routing/route.ts';
import { CHAIN_VERDICTS, READINESS_STATES } from '../track/readiness.ts';
import { asSent } from '../values/fields.ts';

export const EVENT_TYPES = ['click', 'lead', 'sale'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const CHAINS_PER_HOUR = 10;

export const cliStatus = defineRoute({
  id: 'cliStatus',
  method: 'GET',
  path: '/api/v1/cli/status',
  summary: 'Get the status of a program',
  description: 'Events of the last 24 hours, partners, pending commissions and the readiness state.',
  auth: 'program-key',
  bucket: 'cli',
  refuseKey: errors.cliKey,
  withoutRequestId: [200, 401, 429],
  reply: z.object({
    data: z.object({
      program_id: z.int(),
      name: z.string(),
      domain: z.string(),
      stripe_connected: z.boolean(),
      stripe_charges_enabled: z.boolean().describe('Whether Stripe is connected and has sent an event.'),
      dns_verified: z
        .boolean()
        .describe('Whether a page of the program’s site has reported a click. No DNS record is required.'),
      cookie_set_by: z
        .enum(['script', 'server'])
        .nullable()
        .describe(
          'Who set the click cookie of the latest visitor; `server` with a relay. Null before the first click.',
        ),
      recent_events: z.object({ clicks_24h: z.int(), leads_24h: z.int(), sales_24h: z.int() }),
      active_partners: z.int(),
      pending_commissions: z.int(),
      readiness: z.enum(READINESS_STATES),
    }),
  }),
  fail: (requestId) => errors.cliFailed('Failed to get status', requestId),
  statuses: [401],
});

const verdict = z.enum(CHAIN_VERDICTS);

/** The result of a synthetic chain, step by step. */
export const testChain = z.object({
  type: z.literal('chain'),
  short_code: z.string(),
  customer_key: z.string(),
  verdict: z.object({ click: verdict, lead: verdict, sale: verdict }),
  attributed: z.boolean(),
});
z.globalRegistry.add(testChain, { id: 'TestChain' });

export const cliTestEvent = defineRoute({
  id: 'cliTestEvent',
  method: 'POST',
  path: '/api/v1/cli/test-event',
  summary: 'Send a test event or a full test chain',
  description:
    'Send `event_type` for a single event, or `type` = `chain` to run a click, a lead and a sale through the real tracking code.',
  auth: 'program-key',
  bucket: 'cli',
  refuseKey: errors.cliKey,
  body: z.object({ type: z.unknown().optional(), event_type: z.enum(EVENT_TYPES).optional() }),
  precheck: ({ type, event_type }) =>
    type === 'chain' || EVENT_TYPES.includes(event_type as EventType)
      ? null
      : `Invalid event_type: ${asSent(event_type)}. Valid: ${EVENT_TYPES.join(', ')}`,
  reply: z.object({
    data: z.union([
      z.object({
        event_type: z.enum(EVENT_TYPES),
        event_id: z.int(),
        received: z.literal(true),
        attributed: z.literal(false),
        message: z.string(),
      }),
      testChain,
    ]),
  }),
  fail: (requestId) => errors.cliFailed('Failed to process test event', requestId),
  statuses: [400, 401],
});

export const cliStripeConnect = defineRoute({
  id: 'cliStripeConnect',
  method: 'POST',
  path: '/api/v1/cli/stripe-connect',
  summary: 'Connect a payment processor (retired)',
  description: 'Always returns 410. Connect the payment processor in the dashboard instead.',
  auth: 'none',
  bucket: 'cli',
  reply: z.object({}),
  fail: errors.stripeConnectRetired,
  retired: true,
  statuses: [410],
});
