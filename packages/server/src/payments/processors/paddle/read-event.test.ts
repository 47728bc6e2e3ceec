import { PADDLE_SAMPLES, PaddleEvents } from '@svc/testkit/service/payments/paddle.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paddle as paddleProcessor } from './paddle.ts';
import { readEnvelope, readPaddleEvent } from './read-event.ts';

const AT = new Date('2026-03-10T12:00:00Z');
const paddle = new PaddleEvents(AT);
const ours = { svc_customer_key: 'user-1', svc_click_id: 'cust_1_2', program_id: '42' };
const evidence = {
  programId: '42',
  clickId: 'cust_1_2',
  customerKey: 'user-1',
  clientReference: undefined,
  references: ['ctm_1'],
  email: undefined,
  hint: undefined,
};

const completed = (paid: Parameters<PaddleEvents['transaction']>[0]) =>
  readPaddleEvent(paddle.event('transaction.completed', paddle.transaction(paid)));

describe('a completed transaction', () => {
  it('is a payment of what the customer paid', () => {
    const paidInPart = { grand_total: '11000', grand_total_tax: '1756' };
    const totals = { subtotal: '10000', tax: '1900', total: '11900', credit: '900', ...paidInPart };
    const extra = { details: { totals } };
    expect(completed({ id: 'txn_1', customer: 'ctm_1', customData: ours, currency: 'EUR', extra })).toEqual({
      kind: 'payment',
      transactionId: 'txn_1',
      amountCents: 11_000,
      taxCents: 1_756,
      currency: 'EUR',
      saleType: 'payment',
      subscriptionStage: undefined,
      subscriptionId: undefined,
      paidAt: AT,
      evidence,
      paidBy: [],
      needsAnnouncement: false,
      expectsBetterEvidence: false,
    });
  });

  it.each<[string, object, number | undefined]>([
    ['is that of what was paid', { total: '119', tax: '19', grand_total: '100', grand_total_tax: '16' }, 16],
    ['is that of the total, if all of it was paid', { total: '119', tax: '19', grand_total: '119' }, 19],
    ['is its share, if credit paid for some of it', { total: '119', tax: '19', grand_total: '100' }, 16],
    ['is not used if it exceeds the amount', { total: '10', tax: '11', grand_total: '10' }, undefined],
    ['is not used if it is no amount', { grand_total: '10', grand_total_tax: '1.5' }, undefined],
  ])('has tax that %s', (_what, totals, taxCents) => {
    const fact = completed({ extra: { details: { totals } } });
    expect('taxCents' in fact ? fact.taxCents : undefined).toBe(taxCents);
  });

  it.each([
    ['web', 'start'],
    ['api', 'start'],
    ['an_origin_of_the_future', 'start'],
    ['subscription_recurring', 'cycle'],
    ['subscription_charge', 'change'],
    ['subscription_update', 'change'],
    ['subscription_payment_method_change', 'change'],
  ])('of a subscription, with origin %s, is its %s', (origin, subscriptionStage) => {
    expect(completed({ subscription: 'sub_1', customer: 'ctm_1', origin, customData: ours })).toMatchObject({
      saleType: 'subscription',
      subscriptionStage,
      subscriptionId: 'sub_1',
      evidence: { references: ['ctm_1', 'sub_1'] },
    });
  });

  it('is dated by the payment that succeeded, else by its bill, else by the event', () => {
    const at = (extra: object) => completed({ extra });
    const payments = [{ captured_at: null }, { captured_at: '2026-03-09T08:00:00.123456Z' }];
    const billed_at = '2026-03-08T08:00:00Z';
    expect(at({ payments, billed_at })).toMatchObject({ paidAt: new Date('2026-03-09T08:00:00.123Z') });
    expect(at({ payments: [], billed_at })).toMatchObject({ paidAt: new Date(billed_at) });
    expect(at({ payments: null, billed_at: null })).toMatchObject({ paidAt: AT });
  });

  it('takes whole numbers in custom data as text', () => {
    const customData = { svc_customer_key: 7, program_id: 42, svc_click_id: 1.5 };
    expect(completed({ customData })).toMatchObject({
      evidence: { customerKey: '7', programId: '42', clickId: undefined },
    });
  });

  it('has a hint if a field of the custom data is misspelt', () => {
    const hint = 'The custom data has a field “svc_clickid”. Did you mean “svc_click_id”?';
    expect(completed({ customData: { svc_clickid: 'cust_1_2' } })).toMatchObject({ evidence: { hint } });
  });

  it.each(['JPY', 'KRW', 'CLP', 'VND', 'HUF', 'TWD', 'COP', 'USD'])('counts %s in its smallest unit', (currency) => {
    expect(completed({ cents: 1_234, currency })).toMatchObject({ amountCents: 1_234, currency });
  });

  it.each([
    ['a currency that does not exist', { currency: 'XXQ' }, 'unknown_currency'],
    ['no currency', { extra: { currency_code: null } }, 'unknown_currency'],
    ['no totals', { extra: { details: {} } }, 'malformed'],
    ...['1.5', '1e3', '', ' 1', '9007199254740992', '99999999999999999999', 5_000, null, {}].map(
      (grand_total): [string, object, string] => [
        `the total ${JSON.stringify(grand_total)}`,
        { extra: { details: { totals: { grand_total } } } },
        'malformed',
      ],
    ),
    ['an id of more than 255 characters', { id: `txn_${'x'.repeat(300)}` }, 'malformed'],
    ['an id that cannot be stored', { id: 'txn_\0' }, 'malformed'],
  ])('with %s is not recorded', (_case, paid, outcome) => {
    expect(completed(paid)).toEqual({ kind: 'ignored', outcome });
  });
});

it.each(['transaction.paid', 'transaction.completed'])('%s is left until the transaction is completed', (type) => {
  const paid = paddle.transaction({ status: 'paid', customData: ours });
  expect(readPaddleEvent(paddle.event(type, paid))).toEqual({ kind: 'ignored', outcome: 'not_paid' });
  expect(readPaddleEvent(paddle.event(type, { ...paid, status: 'completed' }))).toMatchObject({ kind: 'payment' });
});

describe('an adjustment', () => {
  const read = (action: string, status: string, parts: object = {}) =>
    readPaddleEvent(
      paddle.event('adjustment.updated', {
        ...paddle.adjustment({ id: 'adj_1', transaction: 'txn_1', cents: 700, action, status }),
        ...parts,
      }),
    );
  const payment = { chargeId: null, paymentIntent: 'txn_1', currency: 'USD' };
  const deduction = { id: 'adj_1', ...payment, taxCents: null, madeAt: AT, stateAt: AT };

  it.each([
    ['refund', 'approved', { kind: 'refund', amountCents: 700, state: 'settled' }],
    ['refund', 'rejected', { kind: 'refund', amountCents: 700, state: 'undone' }],
    ['refund', 'reversed', { kind: 'refund', amountCents: 700, state: 'undone' }],
    ['chargeback', 'approved', { kind: 'dispute', amountCents: 700, state: 'standing' }],
    ['chargeback', 'reversed', { kind: 'dispute', amountCents: 700, state: 'standing' }],
    ['chargeback_reverse', 'approved', { kind: 'dispute', amountCents: -700, state: 'standing' }],
  ])('%s, %s', (action, status, expected) => {
    expect(read(action, status)).toEqual({ ...deduction, ...expected });
  });

  it('says how much of it is tax', () => {
    const totals = (total: string, tax: string) => ({ totals: { subtotal: '0', tax, total } });
    expect(read('refund', 'approved', totals('950', '950'))).toMatchObject({ amountCents: 950, taxCents: 950 });
    expect(read('chargeback_reverse', 'approved', totals('700', '112'))).toMatchObject({ taxCents: -112 });
    expect(read('refund', 'approved', totals('100', '950'))).toMatchObject({ amountCents: 100, taxCents: null });
  });

  it.each([
    ['refund', 'pending_approval', 'awaiting_approval'],
    ['refund', 'a_status_of_the_future', 'awaiting_approval'],
    ['refund', 'toString', 'awaiting_approval'],
    ['credit', 'approved', 'credited'],
    ['credit_reverse', 'approved', 'credited'],
    ['chargeback_warning', 'approved', 'inquiry'],
    ['chargeback_warning_reverse', 'approved', 'inquiry'],
    ['an_action_of_the_future', 'approved', 'not_used'],
    ['constructor', 'approved', 'not_used'],
  ])('%s, %s takes nothing back: %s', (action, status, outcome) => {
    expect(read(action, status)).toEqual({ kind: 'ignored', outcome });
  });

  it.each([
    ['no transaction', { transaction_id: null }, 'malformed'],
    ['a negative amount', { totals: { total: '-700' } }, 'malformed'],
    ['no totals', { totals: null }, 'malformed'],
    ['a currency that does not exist', { currency_code: 'XXQ' }, 'unknown_currency'],
  ])('with %s is not applied', (_case, parts, outcome) => {
    expect(read('refund', 'approved', parts)).toEqual({ kind: 'ignored', outcome });
  });
});

describe('customers and subscriptions', () => {
  it('identify the customer by custom data, or by e-mail address', () => {
    const byData = paddle.event('customer.updated', paddle.customer('ctm_1', { email: '', customData: ours }));
    expect(readPaddleEvent(byData)).toMatchObject({ kind: 'identity', outcome: 'payer_known', evidence });
    const byEmail = paddle.event('customer.created', paddle.customer('ctm_1', { email: 'a@b.test' }));
    expect(readPaddleEvent(byEmail)).toMatchObject({ kind: 'identity', evidence: { email: 'a@b.test' } });
  });

  it.each(['created', 'updated', 'activated', 'trialing', 'past_due', 'resumed'])('subscription.%s', (name) => {
    const event = paddle.event(`subscription.${name}`, paddle.subscription('sub_1', 'ctm_1', ours, name));
    const references = ['sub_1', 'ctm_1'];
    expect(readPaddleEvent(event)).toMatchObject({ kind: 'identity', evidence: { ...evidence, references } });
    const plain = paddle.event(`subscription.${name}`, paddle.subscription('sub_1', 'ctm_1', null, name));
    expect(readPaddleEvent(plain)).toEqual({ kind: 'ignored', outcome: 'not_used' });
  });
});

describe('the notifications that Paddle publishes', () => {
  const NOT_USED = { kind: 'ignored', outcome: 'not_used' };
  const byEmail = (email: string) => ({ kind: 'identity', outcome: 'payer_known', evidence: { email } });
  const FACTS: Record<string, object> = {
    'transaction.completed': {
      kind: 'payment',
      transactionId: 'txn_01h8dzxgkvdwemdhbpcapj2tbj',
      amountCents: 65_215,
      taxCents: 5_315,
      currency: 'USD',
      saleType: 'payment',
      paidAt: new Date('2023-08-22T07:15:43.792Z'),
      evidence: { references: ['ctm_01h8e18bxp9hby49dnm8ewf0m0'], hint: undefined },
    },
    'transaction.paid': { kind: 'ignored', outcome: 'not_paid' },
    'adjustment.created': { kind: 'ignored', outcome: 'awaiting_approval' },
    'adjustment.updated': {
      kind: 'refund',
      id: 'adj_01h8c6tbrkpdd7vx61w7b1r0ap',
      paymentIntent: 'txn_01h8bxpvx398a7zbawb77y0kp5',
      amountCents: 100,
      currency: 'USD',
      state: 'settled',
    },
    'customer.created': byEmail('sam@example.com'),
    'customer.updated': byEmail('alex@example.com'),
    'customer.imported': byEmail('sam@example.com'),
  };

  it.each(Object.entries(PADDLE_SAMPLES))('%s is read as it is', (type, notification) => {
    const { event_id: id, occurred_at } = notification;
    expect(readEnvelope(notification)).toEqual({ id, type, happenedAt: new Date(occurred_at), isLive: true });
    expect(readPaddleEvent(notification)).toMatchObject(FACTS[type] ?? NOT_USED);
  });

  it('are tests if the webhook simulator sent them', () => {
    const simulated = { ...PADDLE_SAMPLES['customer.created'], event_id: 'ntfsimevt_01j9yq3yt7b418zwfs5pzsefqs' };
    expect(readEnvelope(simulated)).toMatchObject({ isLive: false });
  });

  it('include every event in the list but those about discounts, and transaction.paid', () => {
    const missing = [...Object.keys(paddleProcessor.events), 'transaction.paid'].filter(
      (type) => !(type in PADDLE_SAMPLES),
    );
    expect(missing).toEqual(['discount.created', 'discount.updated']);
  });

  it.each([
    ['with a code', 'BEN20', { kind: 'promotion_code', reference: 'dsc_1', code: 'BEN20' }],
    ['without one', null, { kind: 'ignored', outcome: 'not_used' }],
  ])('a discount %s is read', (_what, code, fact) => {
    expect(readPaddleEvent(paddle.event('discount.created', { id: 'dsc_1', code }))).toEqual(fact);
  });
});

describe('other payloads', () => {
  it.each(['transaction.created', 'transaction.updated', 'product.created', 'report.updated', 'payout.paid', 'x', ''])(
    'an event of type %j is not used',
    (type) => {
      expect(readPaddleEvent(paddle.event(type, { id: 'x_1' }))).toEqual({ kind: 'ignored', outcome: 'not_used' });
    },
  );

  it.each(['transaction.completed', 'adjustment.created', 'customer.created', 'subscription.created'])(
    'nothing throws for %s, whatever the data contains',
    (event_type) => {
      fc.assert(
        fc.property(fc.anything(), fc.object(), (data, extra) => {
          const occurred_at = AT.toISOString();
          for (const each of [data, { id: 'x_1', status: 'completed', ...extra }]) {
            expect(readPaddleEvent({ event_type, occurred_at, data: each })).toHaveProperty('kind');
          }
        }),
        { numRuns: 200 },
      );
    },
  );

  it.each([
    ['nothing', null],
    ['no id', { event_type: 'a', occurred_at: AT.toISOString() }],
    ['an id that is a number', { event_id: 7, event_type: 'a', occurred_at: AT.toISOString() }],
    ['no type', { event_id: 'evt_1', occurred_at: AT.toISOString() }],
    ['no time', { event_id: 'evt_1', event_type: 'a' }],
    ['a number as the time', { event_id: 'evt_1', event_type: 'a', occurred_at: 1_700_000_000 }],
    ['a time out of range', { event_id: 'evt_1', event_type: 'a', occurred_at: '0000-01-01T00:00:00Z' }],
    ['a day that does not exist', { event_id: 'evt_1', event_type: 'a', occurred_at: '2026-02-41T00:00:00Z' }],
    ['an event of Stripe', { id: 'evt_1', type: 'invoice.paid', created: 1_700_000_000 }],
  ])('%s is not an event', (_case, payload) => {
    expect(readEnvelope(payload)).toBeNull();
  });
});

describe('the totals of a transaction', () => {
  const read = (totals: object) => {
    const transaction = paddle.transaction({ cents: 6_000 });
    const details = { ...transaction.details, totals: { ...transaction.details.totals, ...totals } };
    return readPaddleEvent(paddle.event('transaction.completed', { ...transaction, details }));
  };

  it('that are negative pay nothing', () => {
    expect(read({ grand_total: '-500', total: '0' })).toMatchObject({ kind: 'payment', amountCents: 0 });
  });

  it('of before 2026 name the tax of the total only: with credit, its share of what was paid counts', () => {
    // Half of 6,000, of which 1,000 are tax, was paid with credit.
    const totals = { total: '6000', tax: '1000', grand_total: '3000', grand_total_tax: undefined };
    expect(read(totals)).toMatchObject({ amountCents: 3_000, taxCents: 500 });
  });
});
