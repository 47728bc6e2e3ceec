import { PAYMENTS_WITHOUT_REFUND, type Processor } from '../processor.ts';
import { readEnvelope, readLemonSqueezyEvent } from './read-event.ts';
import { verifySignature } from './verify-signature.ts';

const SUBSCRIPTION = 'identifies the customer of a subscription, and links its first payment to its order';

export const lemonsqueezy: Processor = {
  title: 'Lemon Squeezy',
  verify: verifySignature,
  readEnvelope,
  expected: 'a JSON object with meta.event_name, data.id and data.attributes, as webhooks of Lemon Squeezy have them',
  readEvent: readLemonSqueezyEvent,
  events: {
    order_created: 'records a one-off payment',
    order_refunded: 'takes back what was refunded of an order',
    subscription_created: SUBSCRIPTION,
    subscription_updated: SUBSCRIPTION,
    subscription_payment_success: 'records a payment of a subscription: the first one, or a renewal',
    subscription_payment_refunded: 'takes back what was refunded of a payment of a subscription',
  },
  expects: [
    {
      events: ['order_refunded', 'subscription_payment_refunded'],
      after: ['order_created', 'subscription_payment_success'],
      count: PAYMENTS_WITHOUT_REFUND,
      message:
        'Payments have arrived, but never a refund. If you have refunded any, add order_refunded and subscription_payment_refunded to the webhook’s events. Until then, commissions on refunded payments stay.',
    },
  ],
  secret: {
    prefix: null,
    minChars: 6,
    place: 'Settings, Webhooks, your webhook',
    lookalikes: [
      ['eyJ', 'an API key'],
      ['whsec_', 'a signing secret of Stripe'],
      ['pdl_', 'a secret of Paddle'],
      ['polar_', 'a secret of Polar'],
    ],
  },
  referencePrefix: 'lemonsqueezy:',
  customerIds: { pattern: /^\d+$/, referenceOf: (id) => `ls_customer_${id}` },
  linkedInvoicePrefix: 'ls_subscription_',
  hasPlatforms: false,
  tellsTestMode: true,
};
