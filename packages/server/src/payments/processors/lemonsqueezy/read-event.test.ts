import { LEMON_SAMPLES, LemonEvents, lemonEventId } from '@svc/testkit/service/payments/lemonsqueezy.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEnvelope, readLemonSqueezyEvent } from './read-event.ts';

const AT = new Date('2026-03-01T10:00:00Z');
const lemon = new LemonEvents(AT);
const OURS = { program_id: '42', svc_click_id: 'cust_1_2', svc_customer_key: 'user-1' };

describe('the envelope', () => {
  const read = (event: object) => readEnvelope(event, { raw: Buffer.from(JSON.stringify(event)) });

  it('is known by the hash of the body, and happened when its object was changed', () => {
    const event = lemon.event('order_created', lemon.order({ extra: { updated_at: '2026-03-02T10:00:00.000000Z' } }));
    expect(read(event)).toEqual({
      id: lemonEventId(JSON.stringify(event)),
      type: 'order_created',
      happenedAt: new Date('2026-03-02T10:00:00Z'),
      isLive: true,
    });
  });

  it('says whether it is a test', () => {
    expect(read(lemon.event('order_created', lemon.order(), {}, true))).toMatchObject({ isLive: false });
    const { meta, data } = lemon.event('order_created', lemon.order());
    const { test_mode, ...attributes } = data.attributes;
    expect(read({ meta, data: { ...data, attributes } })).toMatchObject({ isLive: false });
  });

  it.each([
    ['no name', { data: lemon.order() }],
    ['no object', { meta: { event_name: 'order_created' } }],
    ['no time', { meta: { event_name: 'order_created' }, data: { id: '1', attributes: {} } }],
    ['nothing', {}],
  ])('is none with %s', (_what, payload) => {
    expect(read(payload)).toBeNull();
  });
});

describe('a payment', () => {
  it('is an order, as it is published', () => {
    const data = { type: 'orders' as const, id: '8', attributes: LEMON_SAMPLES.orders };
    expect(readLemonSqueezyEvent(lemon.event('order_created', data, OURS))).toEqual({
      kind: 'payment',
      transactionId: 'ls_order_8',
      amountCents: 5_000,
      taxCents: 0,
      currency: 'USD',
      saleType: 'payment',
      subscriptionStage: undefined,
      subscriptionId: undefined,
      paidAt: new Date('2026-03-01T09:30:00Z'),
      evidence: {
        programId: '42',
        clickId: 'cust_1_2',
        customerKey: 'user-1',
        clientReference: undefined,
        references: ['ls_customer_31'],
        email: 'somebody@people.test',
        hint: undefined,
      },
      paidBy: [],
      needsAnnouncement: false,
      expectsBetterEvidence: false,
    });
  });

  it.each([
    ['initial', 'start', 'ls_subscription_61'],
    ['renewal', 'cycle', 'ls_invoice_71'],
    ['updated', 'change', 'ls_invoice_71'],
  ] as const)('is an invoice of a subscription: %s', (reason, subscriptionStage, transactionId) => {
    const invoice = lemon.invoice(61, reason, { id: 71, customer: 31, cents: 11_900, tax: 1_900 });
    expect(readLemonSqueezyEvent(lemon.event('subscription_payment_success', invoice))).toMatchObject({
      kind: 'payment',
      transactionId,
      amountCents: 11_900,
      taxCents: 1_900,
      saleType: 'subscription',
      subscriptionId: 'ls_subscription_61',
      subscriptionStage,
      evidence: { references: ['ls_customer_31', 'ls_subscription_61'] },
    });
  });

  it.each(['pending', 'failed', 'fraudulent', 'void'])('is none while it is %s', (status) => {
    const order = lemon.order({ extra: { status } });
    expect(readLemonSqueezyEvent(lemon.event('order_created', order))).toEqual({
      kind: 'ignored',
      outcome: 'not_paid',
    });
  });

  it('names the coupon if the shop does', () => {
    const event = lemon.event('order_created', lemon.order(), { svc_coupon_code: 'ben20' });
    expect(readLemonSqueezyEvent(event)).toMatchObject({ couponCodes: ['ben20'], isPerhapsInvoiced: true });
  });

  it('hints at misspelt custom data', () => {
    const event = lemon.event('order_created', lemon.order(), { click_id: 'cust_1_2' });
    expect(readLemonSqueezyEvent(event)).toMatchObject({
      evidence: { hint: 'The custom data has a field “click_id”. Did you mean “svc_click_id”?' },
    });
  });
});

describe('a subscription', () => {
  const read = (custom?: object) =>
    readLemonSqueezyEvent(
      lemon.event('subscription_created', lemon.subscription(61, { order: 8, customer: 31 }), custom),
    );
  const paidBy = [{ reference: 'ls_order_8', amountCents: null }];

  it('links its order to its first payment', () => {
    expect(read()).toEqual({ kind: 'link', invoice: 'ls_subscription_61', paidBy, codeFrom: 'ls_order_8' });
  });

  it('also identifies the customer by our custom data', () => {
    expect(read(OURS)).toMatchObject({
      kind: 'identity',
      outcome: 'payer_known',
      invoice: 'ls_subscription_61',
      paidBy,
      evidence: { customerKey: 'user-1', references: ['ls_customer_31', 'ls_subscription_61'] },
    });
  });
});

describe('what was refunded', () => {
  const charge = { kind: 'charge', amountCents: 5_000, refundedCents: 1_000, currency: 'USD', asOf: AT };

  it('of an order', () => {
    const order = lemon.order({ id: 8, extra: { refunded_amount: 1_000 } });
    expect(readLemonSqueezyEvent(lemon.event('order_refunded', order))).toMatchObject({
      ...charge,
      chargeId: 'ls_order_8',
    });
  });

  it.each([
    ['initial', 'ls_subscription_61'],
    ['renewal', 'ls_invoice_71'],
  ] as const)('of an invoice: %s', (reason, chargeId) => {
    const invoice = lemon.invoice(61, reason, { id: 71, extra: { refunded_amount: 1_000 } });
    expect(readLemonSqueezyEvent(lemon.event('subscription_payment_refunded', invoice))).toMatchObject({
      ...charge,
      chargeId,
    });
  });

  it('is all of it in events of old', () => {
    const order = lemon.order({ id: 8, extra: { refunded_amount: undefined, refunded: true } });
    expect(readLemonSqueezyEvent(lemon.event('order_refunded', order))).toMatchObject({ refundedCents: 5_000 });
  });
});

it.each(['subscription_cancelled', 'license_key_created', 'toString', ''])('%s is not used', (name) => {
  expect(readLemonSqueezyEvent(lemon.event(name, lemon.order()))).toEqual({ kind: 'ignored', outcome: 'not_used' });
});

it.each(['order_created', 'order_refunded', 'subscription_created', 'subscription_payment_success'])(
  'nothing throws for %s, whatever the data contains',
  (name) => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (attributes, custom_data) => {
        const payload = { meta: { event_name: name, custom_data }, data: { id: '1', attributes } };
        expect(readLemonSqueezyEvent(payload)).toHaveProperty('kind');
      }),
    );
  },
);
