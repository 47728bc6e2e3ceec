import type { ProcessorFact } from '../../processor-fact.ts';
import { at } from '../payload.ts';
import { PAYMENTS_WITHOUT_REFUND, type Processor } from '../processor.ts';
import { isWellFormed } from './check-content.ts';
import { readEnvelope } from './read-envelope.ts';
import { readStripeEvent, type StripeEvent } from './read-event.ts';
import { verifySignature } from './verify-signature.ts';

const REFUNDS = 'keeps the sale’s refunded amount up to date';
const DISPUTES = 'reverses the commission; restores it when you win the dispute';
const CODES = 'tells how people write a promotion code, which payments name by its id';
const IDENTITY = 'identifies the customer by their metadata';

/** Thin events have no object, so only the events in the list are checked for one. */
function readEvent(payload: unknown): ProcessorFact {
  const event = payload as StripeEvent;
  const isMalformed = Object.hasOwn(stripe.events, event.type) && !isWellFormed(at(event.data, 'object'));
  return isMalformed ? { kind: 'ignored', outcome: 'malformed' } : readStripeEvent(event);
}

export const stripe: Processor = {
  title: 'Stripe',
  verify: verifySignature,
  readEnvelope,
  expected: 'a JSON object with id, type and created, as Stripe’s webhooks send it',
  readEvent,
  events: {
    'checkout.session.completed': 'records a one-off payment; identifies the buyer of a subscription',
    'checkout.session.async_payment_succeeded': 'records a one-off payment that completed later',
    'payment_intent.succeeded': 'records a payment without Checkout that carries the metadata',
    'invoice.paid': 'records a subscription payment',
    'invoice.payment_succeeded': 'records a subscription payment',
    'invoice_payment.paid': 'links an invoice to its payment: needed for refunds and disputes of subscriptions',
    'promotion_code.created': CODES,
    'promotion_code.updated': CODES,
    'charge.refunded': REFUNDS,
    'refund.created': REFUNDS,
    'refund.updated': REFUNDS,
    'refund.failed': REFUNDS,
    'charge.dispute.created': DISPUTES,
    'charge.dispute.updated': DISPUTES,
    'charge.dispute.funds_withdrawn': DISPUTES,
    'charge.dispute.closed': DISPUTES,
    'customer.created': IDENTITY,
    'customer.updated': IDENTITY,
    'customer.subscription.created': IDENTITY,
  },
  expects: [
    {
      events: ['charge.refunded', 'refund.created', 'refund.updated'],
      after: ['checkout.session.completed', 'payment_intent.succeeded', 'invoice.paid', 'invoice.payment_succeeded'],
      count: PAYMENTS_WITHOUT_REFUND,
      message:
        'Payments have arrived, but never a refund. If you have refunded any, add charge.refunded, refund.created and refund.updated to the endpoint’s events. Until then, commissions on refunded payments stay.',
    },
  ],
  secret: {
    prefix: 'whsec_',
    minChars: 1,
    place: 'Workbench, Webhooks, your destination',
    lookalikes: [
      ['sk_', 'a secret API key'],
      ['rk_', 'a restricted API key'],
      ['pk_', 'a publishable API key'],
      ['we_', 'the id of a webhook endpoint'],
      ['ed_', 'the id of an event destination'],
      ['acct_', 'the id of an account'],
      ['pdl_', 'a secret of Paddle'],
    ],
  },
  // The first processor: its ids were stored as they are, and still are.
  referencePrefix: '',
  customerIds: { pattern: /^cus_/, referenceOf: (id) => id },
  linkedInvoicePrefix: 'in_',
  hasPlatforms: true,
  tellsTestMode: true,
};
