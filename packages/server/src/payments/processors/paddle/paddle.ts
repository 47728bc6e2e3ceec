import { PAYMENTS_ON_THEIR_WAY, PAYMENTS_WITHOUT_REFUND, type Processor } from '../processor.ts';
import { readEnvelope, readPaddleEvent } from './read-event.ts';
import { verifySignature } from './verify-signature.ts';

const REFUNDS = 'takes back refunds once they are approved, and chargebacks; restores what is reversed';
const CODES = 'tells how people write the code of a discount, which payments name by its id';
const SUBSCRIPTION = 'identifies the customer of a subscription by its custom data';
const CUSTOMER = 'identifies the customer by their custom data or email address';

export const paddle: Processor = {
  title: 'Paddle',
  verify: verifySignature,
  readEnvelope,
  expected: 'a JSON object with event_id, event_type and occurred_at, as notifications of Paddle Billing have them',
  readEvent: readPaddleEvent,
  events: {
    'transaction.completed': 'records a payment: one-off, of a subscription, or a renewal',
    'discount.created': CODES,
    'discount.updated': CODES,
    'adjustment.created': REFUNDS,
    'adjustment.updated': REFUNDS,
    'customer.created': CUSTOMER,
    'customer.updated': CUSTOMER,
    'subscription.created': SUBSCRIPTION,
    'subscription.updated': SUBSCRIPTION,
  },
  expects: [
    {
      events: ['transaction.completed'],
      after: ['transaction.paid'],
      count: PAYMENTS_ON_THEIR_WAY,
      message:
        'transaction.paid has arrived, but never transaction.completed, which records the payment. Add it to the destination’s events.',
    },
    {
      events: ['adjustment.created', 'adjustment.updated'],
      after: ['transaction.completed'],
      count: PAYMENTS_WITHOUT_REFUND,
      message:
        'Payments have arrived, but never a refund. If you have refunded any, add adjustment.created and adjustment.updated to the destination’s events. Until then, commissions on refunded payments stay.',
    },
  ],
  secret: {
    prefix: 'pdl_ntfset_',
    minChars: 1,
    place: 'Developer tools, Notifications, your destination',
    lookalikes: [
      ['pdl_live_apikey_', 'an API key'],
      ['pdl_sdbx_apikey_', 'an API key of the sandbox'],
      ['apikey_', 'the id of an API key'],
      ['ntfset_', 'the id of a notification destination'],
      ['live_', 'a client-side token'],
      ['test_', 'a client-side token of the sandbox'],
      ['whsec_', 'a signing secret of Stripe'],
    ],
  },
  referencePrefix: 'paddle:',
  customerIds: { pattern: /^ctm_/, referenceOf: (id) => id },
  linkedInvoicePrefix: null,
  hasPlatforms: false,
  tellsTestMode: false,
};
