import { PAYMENTS_ON_THEIR_WAY, PAYMENTS_WITHOUT_REFUND, type Processor } from '../processor.ts';
import { verifyStandardWebhook } from '../verify-standard-webhook.ts';
import { readEnvelope, readPolarEvent } from './read-event.ts';

const REFUNDS = 'keeps the sale’s refunded amount up to date';
const CUSTOMER = 'identifies the customer by their metadata';

export const polar: Processor = {
  title: 'Polar',
  // The whole secret is the key, as its characters are.
  verify: verifyStandardWebhook((secret) => Buffer.from(secret, 'utf8')),
  readEnvelope,
  expected: 'a JSON object with type, timestamp and data, as webhooks of Polar in the raw format have them',
  readEvent: readPolarEvent,
  events: {
    'order.paid': 'records a payment: one-off, of a subscription, or a renewal',
    'order.refunded': REFUNDS,
    'refund.created': REFUNDS,
    'refund.updated': REFUNDS,
    'customer.created': CUSTOMER,
    'customer.updated': CUSTOMER,
  },
  expects: [
    {
      events: ['order.paid'],
      after: ['order.created'],
      count: PAYMENTS_ON_THEIR_WAY,
      message:
        'order.created has arrived, but never order.paid, which records the payment. Add it to the endpoint’s events.',
    },
    {
      events: ['order.refunded', 'refund.created', 'refund.updated'],
      after: ['order.paid'],
      count: PAYMENTS_WITHOUT_REFUND,
      message:
        'Payments have arrived, but never a refund. If you have refunded any, add order.refunded, refund.created and refund.updated to the endpoint’s events. Until then, commissions on refunded payments stay.',
    },
  ],
  secret: {
    // Merchants could choose it once, and such endpoints keep theirs.
    prefix: null,
    minChars: 32,
    place: 'Settings, Webhooks, your endpoint',
    lookalikes: [
      ['polar_oat_', 'an organization access token'],
      ['polar_pat_', 'a personal access token'],
      ['polar_cs_', 'a client secret'],
      ['pdl_', 'a secret of Paddle'],
    ],
  },
  referencePrefix: 'polar:',
  customerIds: { pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, referenceOf: (id) => `customer:${id}` },
  linkedInvoicePrefix: null,
  hasPlatforms: false,
  tellsTestMode: false,
};
