import { POLAR_SAMPLES, PolarEvents } from '@svc/testkit/service/payments/polar.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEnvelope, readPolarEvent } from './read-event.ts';

const AT = new Date('2026-03-01T10:00:00Z');
const polar = new PolarEvents(AT);
const paid = (parts: Parameters<typeof polar.order>[0]) =>
  readPolarEvent(polar.event('order.paid', polar.order(parts)));

describe('the envelope', () => {
  const headers = { 'webhook-id': 'msg_1' };

  it('has its id from the header', () => {
    const event = polar.event('order.paid', {});
    expect(readEnvelope(event, { headers })).toEqual({ id: 'msg_1', type: 'order.paid', happenedAt: AT, isLive: true });
  });

  it.each([
    ['no id', {}, { type: 'order.paid', timestamp: '2026-03-01T10:00:00Z' }],
    ['no type', headers, { timestamp: '2026-03-01T10:00:00Z' }],
    ['no time', headers, { type: 'order.paid' }],
    ['a time in seconds', headers, { type: 'order.paid', timestamp: 1_772_000_000 }],
    ['a list', headers, ['order.paid']],
    ['nothing', headers, null],
  ])('is none with %s', (_what, sent, payload) => {
    expect(readEnvelope(payload, { headers: sent })).toBeNull();
  });
});

describe('an order', () => {
  it('as it is published is a one-off payment', () => {
    expect(readPolarEvent(polar.event('order.paid', POLAR_SAMPLES.order))).toEqual({
      kind: 'payment',
      transactionId: '57107b74-8400-4d80-a2fc-54c2b4239cb3',
      amountCents: 5_000,
      taxCents: 0,
      currency: 'USD',
      saleType: 'payment',
      subscriptionStage: undefined,
      subscriptionId: undefined,
      paidAt: AT,
      evidence: {
        programId: undefined,
        clickId: undefined,
        customerKey: undefined,
        clientReference: undefined,
        references: ['customer:992fae2a-2a17-4b7a-8d9e-e287cf90131b'],
        email: 'somebody@people.test',
        hint: undefined,
      },
      paidBy: [],
      needsAnnouncement: false,
      expectsBetterEvidence: false,
    });
  });

  it.each([
    ['subscription_create', 'start'],
    ['subscription_cycle', 'cycle'],
    ['subscription_meter_cycle', 'cycle'],
    ['subscription_update', 'change'],
    ['something new', 'start'],
  ])('of a subscription because of %s is its %s', (reason, subscriptionStage) => {
    expect(paid({ subscription: 'sub-1', customer: 'cus-1', reason })).toMatchObject({
      saleType: 'subscription',
      subscriptionId: 'sub-1',
      subscriptionStage,
      evidence: { references: ['customer:cus-1', 'subscription:sub-1'] },
    });
  });

  it.each([
    ['tax', { cents: 11_900, tax: 1_900 }, { amountCents: 11_900, taxCents: 1_900 }],
    [
      'a balance that paid for half of it',
      { cents: 11_900, tax: 1_900, extra: { due_amount: 5_950 } },
      { amountCents: 5_950, taxCents: 950 },
    ],
    [
      'a balance that was owed',
      { cents: 11_900, tax: 1_900, extra: { due_amount: 12_900 } },
      { amountCents: 12_900, taxCents: 1_900 },
    ],
    ['a balance that paid for all of it', { extra: { due_amount: 0 } }, { amountCents: 0, taxCents: 0 }],
    ['only a total, as orders once had it', { extra: { due_amount: undefined } }, { amountCents: 5_000 }],
    ['a currency without decimals', { cents: 500, currency: 'jpy' }, { amountCents: 500, currency: 'JPY' }],
  ])('with %s', (_what, parts, fact) => {
    expect(paid(parts)).toMatchObject(fact);
  });

  it('takes our fields from the order, its subscription and its customer, in this order', () => {
    const order = polar.order({ subscription: 'sub-1', metadata: { svc_click_id: 'cust_1_2' } });
    const data = {
      ...order,
      subscription: { ...order.subscription, metadata: { svc_click_id: 'cust_9_9', program_id: 42 } },
      customer: { ...order.customer, metadata: { svc_customer_key: 'user-1' } },
    };
    expect(readPolarEvent(polar.event('order.paid', data))).toMatchObject({
      evidence: { clickId: 'cust_1_2', programId: '42', customerKey: 'user-1' },
    });
  });

  it('has the reference of its checkout link, or else what the shop calls the customer', () => {
    const external = { extra: { customer: { ...POLAR_SAMPLES.order.customer, external_id: 'user-7' } } };
    expect(paid(external)).toMatchObject({ evidence: { clientReference: 'user-7' } });
    const linked = { ...external, metadata: { reference_id: 'cust_1_2' } };
    expect(paid(linked)).toMatchObject({ evidence: { clientReference: 'cust_1_2' } });
  });

  it('names the code of its discount after the shop’s own word', () => {
    const extra = { discount: POLAR_SAMPLES.discount };
    expect(paid({ extra })).toMatchObject({ couponCodes: ['SPRING20'] });
    expect(paid({ extra, metadata: { svc_coupon_code: 'ben20' } })).toMatchObject({
      couponCodes: ['ben20', 'SPRING20'],
    });
    expect(paid({ extra: { discount: { ...extra.discount, code: null } } })).not.toHaveProperty('couponCodes');
  });

  it('hints at misspelt metadata', () => {
    expect(paid({ metadata: { svc_clickid: 'cust_1_2' } })).toMatchObject({
      evidence: { hint: 'The metadata has a field “svc_clickid”. Did you mean “svc_click_id”?' },
    });
  });

  it('that is not paid is none', () => {
    expect(paid({ extra: { paid: false, status: 'pending' } })).toEqual({ kind: 'ignored', outcome: 'not_paid' });
  });
});

describe('a refund', () => {
  it.each([
    ['pending', 'standing'],
    ['succeeded', 'settled'],
    ['failed', 'undone'],
    ['canceled', 'undone'],
  ])('that is %s is %s', (status, state) => {
    const refund = polar.refund({ id: 'refund-1', order: 'order-1', cents: 1_190, tax: 190, status });
    expect(readPolarEvent(polar.event('refund.updated', refund))).toEqual({
      kind: 'refund',
      id: 'refund-1',
      chargeId: 'order-1',
      paymentIntent: null,
      amountCents: 1_190,
      taxCents: 190,
      currency: 'USD',
      state,
      madeAt: AT,
      stateAt: AT,
    });
  });

  it('is also in the total of its order', () => {
    const extra = { refunded_amount: 1_000, refunded_tax_amount: 190 };
    const order = polar.order({ id: 'order-1', cents: 11_900, tax: 1_900, extra });
    expect(readPolarEvent(polar.event('order.refunded', order))).toEqual({
      kind: 'charge',
      chargeId: 'order-1',
      paymentIntent: null,
      invoice: null,
      amountCents: 11_900,
      refundedCents: 1_190,
      currency: 'USD',
      asOf: AT,
    });
  });
});

it('a customer identifies themselves by our metadata, and by nothing else', () => {
  const customer = (metadata: object) =>
    readPolarEvent(polar.event('customer.updated', polar.customer('cus-1', metadata)));
  expect(customer({ svc_customer_key: 'user-1' })).toMatchObject({
    kind: 'identity',
    outcome: 'payer_known',
    evidence: { customerKey: 'user-1', references: ['customer:cus-1'] },
  });
  expect(customer({})).toEqual({ kind: 'ignored', outcome: 'not_used' });
});

it.each(['order.created', 'subscription.created', 'toString', ''])('%s is not used', (type) => {
  expect(readPolarEvent(polar.event(type, polar.order()))).toEqual({ kind: 'ignored', outcome: 'not_used' });
});

it.each(['order.paid', 'order.refunded', 'refund.created', 'customer.created'])(
  'nothing throws for %s, whatever the data contains',
  (type) => {
    fc.assert(
      fc.property(fc.anything(), (data) => {
        expect(readPolarEvent({ type, timestamp: AT.toISOString(), data })).toHaveProperty('kind');
      }),
    );
  },
);
