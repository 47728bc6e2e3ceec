import { PAYMENTS_WITHOUT_REFUND, type Processor } from '../processor.ts';
import { verifyStandardWebhook } from '../verify-standard-webhook.ts';
import { readCustomEvent, readEnvelope } from './read-event.ts';

const PREFIX = 'whsec_';

/** For shops with any other payment processor: they sign and send what happened themselves. */
export const custom: Processor = {
  title: 'Custom',
  verify: verifyStandardWebhook((secret) => Buffer.from(secret.slice(PREFIX.length), 'base64')),
  readEnvelope,
  expected: 'a JSON object with type (payment, refund, dispute or identity) and at, a time in ISO 8601',
  readEvent: readCustomEvent,
  events: {
    payment: 'records a payment: one-off, of a subscription, or a renewal',
    refund: 'takes back what was refunded; restores it if the refund fails',
    dispute: 'reverses the commission; restores it when you win the dispute',
    identity: 'identifies a customer of your payment processor, without a payment',
  },
  expects: [
    {
      events: ['refund'],
      after: ['payment'],
      count: PAYMENTS_WITHOUT_REFUND,
      message:
        'Payments have arrived, but never a refund. If you have refunded any, let your shop send refund events. Until then, commissions on refunded payments stay.',
    },
  ],
  // The smallest key of Standard Webhooks has 24 bytes, which are 32 characters of base64.
  secret: { prefix: PREFIX, minChars: 32, place: null, lookalikes: [['pdl_', 'a secret of Paddle']] },
  referencePrefix: 'custom:',
  customerIds: { pattern: /^/, referenceOf: (id) => `customer:${id}` },
  linkedInvoicePrefix: null,
  hasPlatforms: false,
  tellsTestMode: true,
};
