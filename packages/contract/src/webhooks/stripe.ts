import { z } from 'zod';
import { errors } from '../errors/errors.ts';
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
  fail: () => errors.internal('The event could not be stored. Stripe will send it again.'),
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
