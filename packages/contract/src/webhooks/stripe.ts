import { z } from 'zod';
import { errors } from '../errors/errors.ts';
import { defineRoute } from '../routing/route.ts';

/** The Stripe events that this service processes. */
export const STRIPE_EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'payment_intent.succeeded',
  'invoice.paid',
  'invoice.payment_succeeded',
  'invoice_payment.paid',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.closed',
  'customer.created',
  'customer.updated',
  'customer.subscription.created',
] as const;

const received = z.object({
  received: z.literal(true),
  duplicate: z.boolean().describe('The event was received before; nothing changes.'),
});

const webhook = {
  method: 'POST',
  auth: 'none',
  signed: true,
  bucket: 'webhook',
  reply: received,
  fail: () => errors.internal('The event could not be stored. Stripe will send it again.'),
  statuses: [400, 404],
} as const;

export const stripeWebhook = defineRoute({
  ...webhook,
  id: 'stripeWebhook',
  path: '/api/v1/webhooks/stripe/:program_id',
  summary: 'Receive a Stripe event',
  description:
    'Signed with the program’s own signing secret. The event is stored once, acknowledged and then processed.',
});

export const stripePlatformWebhook = defineRoute({
  ...webhook,
  id: 'stripePlatformWebhook',
  path: '/api/v1/webhooks/stripe',
  summary: 'Receive a Stripe Connect event',
  description: 'Signed with the platform’s signing secret. The account identifies the program.',
});
