import { z } from 'zod';
import { errors } from '../errors/errors.ts';
import { listQuery, managed, many, one, PROGRAM } from '../manage/route.ts';
import { defineRoute } from '../routing/route.ts';

/** The events of Stripe that mean something here. */
export const STRIPE_EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'invoice.paid',
  'invoice.payment_succeeded',
  'invoice_payment.paid',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.closed',
] as const;

const received = z.object({
  received: z.literal(true),
  duplicate: z.boolean().describe('It had come before; nothing changes.'),
});

const webhook = {
  method: 'POST',
  auth: 'none',
  signed: true,
  reply: received,
  fail: () => errors.internal('The event could not be stored. It will be sent again.'),
  statuses: [400, 404],
} as const;

export const stripeWebhook = defineRoute({
  ...webhook,
  id: 'stripeWebhook',
  path: '/api/v1/webhooks/stripe/:program_id',
  summary: 'Take an event of the program’s Stripe account',
  description: 'Signed with the program’s own signing secret. Stored once, answered, then worked off.',
});

export const stripePlatformWebhook = defineRoute({
  ...webhook,
  id: 'stripePlatformWebhook',
  path: '/api/v1/webhooks/stripe',
  summary: 'Take an event of an account on a Stripe Connect platform',
  description: 'Signed with the platform’s signing secret; the program is found by the account.',
});

const event = z.object({
  id: z.int(),
  event_id: z.string(),
  type: z.string(),
  livemode: z.boolean(),
  state: z.enum(['waiting', 'done', 'failed']),
  outcome: z.string().nullable(),
  reason: z.string().nullable().describe('The outcome in a sentence.'),
  error: z.string().nullable(),
  attempts: z.int(),
  next_attempt_at: z.iso.datetime().nullable(),
  transaction_id: z.string().nullable(),
  customer_id: z.int().nullable(),
  happened_at: z.iso.datetime(),
  received_at: z.iso.datetime(),
});

export const manageProcessorEvents = defineRoute({
  ...managed,
  id: 'manageProcessorEvents',
  method: 'GET',
  path: `${PROGRAM}/processor/events`,
  summary: 'List the events of the payment processor',
  description: 'Newest first, each with what became of it and why.',
  role: 'owner',
  query: z.object({
    ...listQuery,
    state: z.enum(['waiting', 'done', 'failed'], { error: 'state must be waiting, done or failed' }).optional(),
  }),
  reply: many(event),
  statuses: [400, 401, 403, 404],
});

export const manageReplayProcessorEvent = defineRoute({
  ...managed,
  id: 'manageReplayProcessorEvent',
  method: 'POST',
  path: `${PROGRAM}/processor/events/:processor_event_id/replay`,
  summary: 'Work an event of the payment processor off again',
  description: 'What it did before is not done twice. Contents are kept for 30 days.',
  role: 'owner',
  reply: one(event),
  statuses: [400, 401, 403, 404],
});
