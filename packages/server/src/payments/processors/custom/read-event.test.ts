import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCustomEvent, readEnvelope } from './read-event.ts';

const AT = '2026-03-01T10:00:00Z';
const headers = { 'webhook-id': 'paid-1' };
const payment = { type: 'payment', at: AT, transaction_id: 'order-1', amount_cents: 5_000 };

describe('the envelope', () => {
  it('has its id from the header', () => {
    const happenedAt = new Date(AT);
    expect(readEnvelope(payment, { headers })).toEqual({ id: 'paid-1', type: 'payment', happenedAt, isLive: true });
    expect(readEnvelope({ ...payment, test_mode: true }, { headers })).toMatchObject({ isLive: false });
  });

  it.each([
    ['no id', {}, payment],
    ['another type', headers, { ...payment, type: 'sale' }],
    ['no time', headers, { ...payment, at: undefined }],
    ['a time that is none', headers, { ...payment, at: 'yesterday' }],
  ])('is none with %s', (_what, sent, payload) => {
    expect(readEnvelope(payload, { headers: sent })).toBeNull();
  });
});

describe('a payment', () => {
  it('needs an id and an amount only', () => {
    expect(readCustomEvent(payment)).toEqual({
      kind: 'payment',
      transactionId: 'order-1',
      amountCents: 5_000,
      currency: 'USD',
      saleType: 'payment',
      subscriptionStage: undefined,
      subscriptionId: undefined,
      paidAt: new Date(AT),
      evidence: {
        programId: undefined,
        clickId: undefined,
        customerKey: undefined,
        clientReference: undefined,
        references: [],
        email: undefined,
        hint: undefined,
      },
      paidBy: [],
      needsAnnouncement: false,
      expectsBetterEvidence: false,
    });
  });

  it('may have everything', () => {
    const event = {
      ...payment,
      at: '2026-03-01T12:00:00+02:00',
      currency: 'eur',
      tax_cents: 800,
      shipping_cents: 200,
      subscription: { id: 'sub-1', stage: 'renewal' },
      payer: { customer_key: 7, click_id: 'cust_1_2', email: 'pat@people.test', customer_id: 'c-1' },
      coupon_code: ' BEN20 ',
    };
    expect(readCustomEvent(event)).toMatchObject({
      currency: 'EUR',
      taxCents: 800,
      shippingCents: 200,
      saleType: 'subscription',
      subscriptionId: 'sub-1',
      subscriptionStage: 'cycle',
      paidAt: new Date(AT),
      couponCodes: ['BEN20'],
      evidence: {
        customerKey: '7',
        clickId: 'cust_1_2',
        email: 'pat@people.test',
        references: ['customer:c-1', 'subscription:sub-1'],
      },
    });
  });

  it('counts null as absent', () => {
    const nulls = {
      tax_cents: null,
      subscription: null,
      coupon_code: null,
      payer: { customer_key: null, email: null },
    };
    expect(readCustomEvent({ ...payment, ...nulls })).toEqual(readCustomEvent(payment));
  });
});

it.each([
  ['refund', 'pending', 'standing'],
  ['refund', undefined, 'settled'],
  ['refund', 'failed', 'undone'],
  ['dispute', undefined, 'standing'],
  ['dispute', 'lost', 'settled'],
  ['dispute', 'won', 'undone'],
])('a %s with the status %s is %s', (type, status, state) => {
  const event = { type, at: AT, [`${type}_id`]: '1', transaction_id: 'order-1', amount_cents: 100, status };
  expect(readCustomEvent(event)).toEqual({
    kind: type,
    id: `custom:${type}:1`,
    chargeId: null,
    paymentIntent: 'order-1',
    amountCents: 100,
    taxCents: null,
    // None is named, so it is that of the payment.
    currency: 'XXX',
    state,
    madeAt: new Date(AT),
    stateAt: new Date(AT),
  });
});

it('an identity says who a customer is', () => {
  const payer = { customer_id: 'c-1', customer_key: 'user-1' };
  expect(readCustomEvent({ type: 'identity', at: AT, payer })).toMatchObject({
    kind: 'identity',
    outcome: 'payer_known',
    evidence: { customerKey: 'user-1', references: ['customer:c-1'] },
  });
});

it.each([
  [{ ...payment, transaction_id: 7 }, 'malformed', 'transaction_id is required and must be a string'],
  [
    { ...payment, amount_cents: '50.00' },
    'malformed',
    'amount_cents is required and must be a whole number, 0 or more, in the smallest unit of the currency',
  ],
  [{ ...payment, currency: 'XXQ' }, 'unknown_currency', 'currency must be an ISO 4217 code'],
  [{ ...payment, tax_cents: 5_001 }, 'malformed', 'tax_cents and shipping_cents together must be at most amount_cents'],
  [{ ...payment, payer: 'user-1' }, 'malformed', 'payer must be an object'],
  [{ ...payment, subscription: { id: 's' } }, 'malformed', 'subscription.stage must be start, renewal or change'],
  [{ type: 'refund', at: AT, transaction_id: 'o', amount_cents: 1 }, 'malformed', 'refund_id must be a string'],
  [
    { type: 'refund', at: AT, refund_id: 'r', transaction_id: 'o', amount_cents: 1, tax_cents: 2 },
    'malformed',
    'tax_cents must be at most amount_cents',
  ],
  [{ type: 'identity', at: AT, payer: { customer_key: 'u' } }, 'malformed', 'payer.customer_id is required'],
  [{ type: 'sale', at: AT }, 'malformed', 'type must be payment, refund, dispute or identity'],
])('names the field that is wrong: %o', (event, outcome, hint) => {
  expect(readCustomEvent(event)).toEqual({ kind: 'ignored', outcome, hint });
});

it('nothing throws, whatever the event contains', () => {
  fc.assert(
    fc.property(fc.anything(), fc.constantFrom('payment', 'refund', 'dispute', 'identity'), (payload, type) => {
      expect(readCustomEvent(payload)).toHaveProperty('kind');
      expect(readCustomEvent({ ...Object(payload), type, at: AT })).toHaveProperty('kind');
    }),
  );
});
