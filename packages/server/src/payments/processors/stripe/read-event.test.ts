import { GENERATIONS, StripeEvents, samples } from '@svc/testkit/service/payments/stripe.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PaymentFact } from '../../processor-fact.ts';
import { readStripeEvent, type StripeEvent } from './read-event.ts';
import { stripe as stripeProcessor } from './stripe.ts';

const NOW = new Date('2026-03-10T12:00:00.000Z');
const IGNORED = { kind: 'ignored', outcome: 'not_used' };
const METADATA = { svc_click_id: 'cust_1_2', svc_customer_key: 'user-1', program_id: '7' };
const KNOWN = { clickId: 'cust_1_2', customerKey: 'user-1', programId: '7', clientReference: undefined };
const UNKNOWN = { clickId: undefined, customerKey: undefined, programId: undefined, clientReference: undefined };

describe.each(GENERATIONS)('events of the %s API', (generation) => {
  const stripe = new StripeEvents(generation, NOW);
  const read = (type: string, object: object) => readStripeEvent(stripe.event(type, object));

  it.each(['checkout.session.completed', 'checkout.session.async_payment_succeeded'])(
    '%s of a paid one-off session is a payment with the id of its payment intent',
    (type) => {
      const session = stripe.session({
        metadata: METADATA,
        cents: 4_900,
        currency: 'eur',
        customer: 'cus_1',
        email: 'a@b.test',
      });
      expect(read(type, session)).toEqual({
        kind: 'payment',
        transactionId: session.payment_intent,
        amountCents: 4_900,
        taxCents: 0,
        shippingCents: 0,
        currency: 'EUR',
        saleType: 'payment',
        subscriptionStage: undefined,
        subscriptionId: undefined,
        paidAt: NOW,
        evidence: { ...KNOWN, references: ['cus_1'], email: 'a@b.test', hint: undefined },
        paidBy: [{ reference: session.payment_intent, amountCents: null }],
        needsAnnouncement: false,
        expectsBetterEvidence: false,
      });
    },
  );

  it('a session without a payment intent is identified by its own id', () => {
    const session = stripe.session({ paymentIntent: null });
    expect(read('checkout.session.completed', session)).toMatchObject({ transactionId: session.id, paidBy: [] });
  });

  it.each([
    ['unknown_currency', { currency: 'usdc' }],
    ['not_used', { id: null }],
    ['not_used', { id: 'x'.repeat(256), payment_intent: null }],
  ])('a session that is not a payment is ignored as %s', (outcome, extra) => {
    expect(read('checkout.session.completed', stripe.session({ extra }))).toEqual({ kind: 'ignored', outcome });
  });

  it.each([
    ['of a subscription', { subscription: 'sub_1', extra: {} }, null, ['cus_1', 'sub_1'], 0],
    ['with an invoice', { extra: { invoice: 'in_1' } }, 'in_1', ['cus_1', 'in_1'], 1],
  ])('a session %s only identifies the customer', (_kind, parts, invoice, references, paidBy) => {
    const session = stripe.session({ metadata: METADATA, customer: 'cus_1', ...parts });
    const fact = read('checkout.session.completed', session);
    expect(fact).toMatchObject({
      kind: 'identity',
      outcome: 'left_to_invoice',
      invoice,
      evidence: { ...KNOWN, references },
    });
    expect(fact).toHaveProperty('paidBy.length', paidBy);
  });

  it.each(['invoice.paid', 'invoice.payment_succeeded'])('%s is a subscription payment', (type) => {
    const invoice = stripe.invoice({
      metadata: METADATA,
      subscription: 'sub_1',
      customer: 'cus_1',
      paymentIntent: 'pi_1',
    });
    expect(read(type, invoice)).toEqual({
      kind: 'payment',
      transactionId: invoice.id,
      amountCents: 5_000,
      taxCents: 0,
      shippingCents: 0,
      currency: 'USD',
      saleType: 'subscription',
      subscriptionStage: 'start',
      subscriptionId: 'sub_1',
      paidAt: NOW,
      evidence: { ...KNOWN, references: ['cus_1', 'sub_1', invoice.id], email: undefined, hint: undefined },
      // The newer API reports in a separate event what paid the invoice.
      paidBy: generation === '2024' ? [{ reference: 'pi_1', amountCents: invoice.amount_paid }] : [],
      needsAnnouncement: false,
      expectsBetterEvidence: false,
    });
  });

  it.each([
    ['subscription_cycle', 'cycle'],
    ['subscription_create', 'start'],
    ['subscription_update', 'change'],
    ['subscription_threshold', 'change'],
    ['manual', 'start'],
  ])('billing_reason %s is the stage %s of the subscription', (reason, subscriptionStage) => {
    expect(read('invoice.paid', stripe.invoice({ reason }))).toMatchObject({ subscriptionStage });
  });

  it('metadata of the invoice and its lines is used if the subscription has none', () => {
    const lines = { data: [{ metadata: {} }, { metadata: { svc_customer_key: 'on-line' } }] };
    expect(read('invoice.paid', stripe.invoice({ extra: { lines } }))).toMatchObject({
      evidence: { customerKey: 'on-line' },
      expectsBetterEvidence: false,
    });
    const metadata = { svc_customer_key: 'on-invoice' };
    expect(read('invoice.paid', stripe.invoice({ extra: { lines, metadata } }))).toMatchObject({
      evidence: { customerKey: 'on-invoice' },
    });
    const both = stripe.invoice({ metadata: METADATA, extra: { lines } });
    expect(read('invoice.paid', both)).toMatchObject({ evidence: KNOWN });
  });

  it('an invoice without metadata expects better evidence from its checkout session', () => {
    const fact = read('invoice.paid', stripe.invoice({ email: 'a@b.test' })) as PaymentFact;
    expect(fact).toMatchObject({ evidence: { ...UNKNOWN, email: 'a@b.test' }, expectsBetterEvidence: true });
  });

  it('an invoice was paid at the time that Stripe reports, or else at the time of the event', () => {
    const paidAt = (paid_at: unknown) =>
      (read('invoice.paid', stripe.invoice({ extra: { status_transitions: { paid_at } } })) as PaymentFact).paidAt;
    expect(paidAt(1_700_000_000)).toEqual(new Date(1_700_000_000_000));
    for (const none of [null, undefined, 'x', 1e300, -1, 1.5]) expect(paidAt(none)).toEqual(NOW);
  });

  it('charge.refunded contains the refunded total of the charge', () => {
    const charge = stripe.charge({ paymentIntent: 'pi_1', cents: 5_000, refunded: 1_200 });
    expect(read('charge.refunded', charge)).toEqual({
      kind: 'charge',
      chargeId: charge.id,
      paymentIntent: 'pi_1',
      invoice: null,
      amountCents: 5_000,
      refundedCents: 1_200,
      uncapturedCents: 0,
      currency: 'USD',
      asOf: NOW,
    });
  });

  it.each([
    ['refund.created', 'pending', 'standing'],
    ['refund.created', 'requires_action', 'standing'],
    ['refund.created', 'succeeded', 'settled'],
    ['refund.updated', 'succeeded', 'settled'],
    ['refund.updated', 'failed', 'undone'],
    ['refund.updated', 'canceled', 'undone'],
    ['refund.failed', 'failed', 'undone'],
    ['charge.refund.updated', 'failed', 'undone'],
  ])('%s with status %s is %s', (type, status, state) => {
    const refund = stripe.refund({ charge: 'ch_1', paymentIntent: 'pi_1', cents: 300, status });
    expect(read(type, refund)).toEqual({
      kind: 'refund',
      id: refund.id,
      chargeId: 'ch_1',
      paymentIntent: 'pi_1',
      amountCents: 300,
      currency: 'USD',
      state,
      madeAt: NOW,
      taxCents: null,
      stateAt: NOW,
    });
  });

  it.each([
    ['charge.dispute.created', 'needs_response', 'standing'],
    ['charge.dispute.updated', 'needs_response', 'standing'],
    ['charge.dispute.funds_withdrawn', 'under_review', 'standing'],
    ['charge.dispute.closed', 'lost', 'settled'],
    ['charge.dispute.closed', 'won', 'undone'],
  ])('%s with status %s is %s', (type, status, state) => {
    const dispute = stripe.dispute({ charge: 'ch_1', cents: 5_000, status });
    expect(read(type, dispute)).toMatchObject({ kind: 'dispute', id: dispute.id, amountCents: 5_000, state });
  });

  it.each([
    ['charge.dispute.created', 'warning_needs_response'],
    ['charge.dispute.updated', 'warning_under_review'],
    ['charge.dispute.closed', 'warning_closed'],
  ])('%s with status %s is an inquiry', (type, status) => {
    const dispute = stripe.dispute({ charge: 'ch_1', cents: 5_000, status });
    expect(read(type, dispute)).toEqual({ kind: 'ignored', outcome: 'inquiry' });
  });

  it.each([
    ['in setup mode', { mode: 'setup', payment_status: 'no_payment_required', payment_intent: null }],
    ['without a payment', { payment_status: 'no_payment_required', amount_total: 0, payment_intent: null }],
  ])('a session %s identifies the customer', (_what, extra) => {
    const session = stripe.session({ metadata: METADATA, customer: 'cus_1', extra });
    expect(read('checkout.session.completed', session)).toMatchObject({
      kind: 'identity',
      outcome: 'payer_known',
      evidence: { ...KNOWN, references: ['cus_1'] },
    });
  });

  it('a session carries the client_reference_id of a payment link', () => {
    const session = stripe.session({ extra: { client_reference_id: 'cust_1_2' } });
    expect(read('checkout.session.completed', session)).toMatchObject({ evidence: { clientReference: 'cust_1_2' } });
  });

  it('an invoice counts once it is paid in full', () => {
    const invoice = stripe.invoice({ extra: { status: 'open', amount_paid: 2_000 } });
    expect(read('invoice.payment_succeeded', invoice)).toEqual({ kind: 'ignored', outcome: 'not_paid' });
  });

  it('an unpaid session announces its payment intent, and whose it is', () => {
    const session = stripe.session({ metadata: METADATA, customer: 'cus_1', extra: { payment_status: 'unpaid' } });
    expect(read('checkout.session.completed', session)).toMatchObject({
      kind: 'identity',
      outcome: 'not_paid',
      evidence: { ...KNOWN, references: ['cus_1', session.payment_intent] },
    });
  });

  it('a payment intent is a payment, announced or with our metadata, unless it has an invoice', () => {
    const paid = { id: 'pi_1', cents: 900, currency: 'eur', customer: 'cus_1', metadata: METADATA };
    const intent = stripe.paymentIntent(paid);
    expect(read('payment_intent.succeeded', intent)).toMatchObject({
      kind: 'payment',
      transactionId: 'pi_1',
      amountCents: 900,
      currency: 'EUR',
      evidence: { ...KNOWN, references: ['cus_1'] },
      needsAnnouncement: false,
    });
    expect(read('payment_intent.succeeded', { ...intent, receipt_email: 'a@b.test', metadata: {} })).toMatchObject({
      kind: 'payment',
      transactionId: 'pi_1',
      evidence: { references: ['pi_1'], email: undefined },
      needsAnnouncement: true,
    });
    expect(read('payment_intent.succeeded', { ...intent, invoice: 'in_1' })).toEqual(IGNORED);
  });

  it.each([
    ['customer.created', stripe.customer({ id: 'cus_1', email: 'a@b.test' }), ['cus_1']],
    ['customer.updated', stripe.customer({ id: 'cus_1', email: 'a@b.test' }), ['cus_1']],
    ['customer.subscription.created', stripe.subscription({ id: 'sub_1', customer: 'cus_1' }), ['sub_1', 'cus_1']],
  ])('%s with our metadata identifies the customer', (type, object, references) => {
    const fact = read(type, { ...object, metadata: METADATA });
    expect(fact).toMatchObject({ kind: 'identity', outcome: 'payer_known', evidence: { ...KNOWN, references } });
    expect(read(type, { ...object, metadata: {} })).toEqual(IGNORED);
  });

  it('an id may be an expanded object', () => {
    const session = stripe.session({ extra: { customer: { id: 'cus_9' }, payment_intent: { id: 'pi_9' } } });
    expect(read('checkout.session.completed', session)).toMatchObject({
      transactionId: 'pi_9',
      evidence: { references: ['cus_9'] },
    });
  });

  it.each([
    ['text that cannot be stored', 'a\0b'],
    ['half a surrogate pair', '\ud800'],
    ['more than 255 characters', 'x'.repeat(256)],
    ['empty', ''],
    ['a number', 7],
    ['null', null],
  ])('metadata that is %s is not used', (_case, value) => {
    const metadata = { svc_click_id: value, svc_customer_key: value, program_id: value };
    expect(read('checkout.session.completed', stripe.session({ metadata }))).toMatchObject({ evidence: UNKNOWN });
  });

  it.each(['invoice.finalized', 'charge.succeeded', ''])('%j is ignored', (type) => {
    expect(read(type, stripe.session())).toEqual(IGNORED);
  });
});

describe('the payment of an invoice', () => {
  const older = new StripeEvents('2024', NOW);
  const newer = new StripeEvents('2026', NOW);

  it('is in payment_intent and charge of the invoice in the older API', () => {
    const invoice = older.invoice({ paymentIntent: 'pi_1', extra: { charge: 'ch_1' } });
    expect(readStripeEvent(older.event('invoice.paid', invoice))).toMatchObject({
      paidBy: [
        { reference: 'pi_1', amountCents: 5_000 },
        { reference: 'ch_1', amountCents: 5_000 },
      ],
    });
  });

  it('is in payments of the invoice in the newer API', () => {
    const first = { amount_paid: 1_500, currency: 'usd', payment: { payment_intent: 'pi_1' } };
    const payments = { data: [first, { payment: { charge: 'ch_2' } }] };
    const invoice = newer.invoice({ extra: { payments } });
    expect(readStripeEvent(newer.event('invoice.paid', invoice))).toMatchObject({
      paidBy: [
        { reference: 'pi_1', amountCents: 1_500 },
        { reference: 'ch_2', amountCents: null },
      ],
    });
  });

  it('is linked to it by invoice_payment.paid', () => {
    const event = newer.event('invoice_payment.paid', newer.invoicePayment('in_1', 'pi_1'));
    const paidBy = [{ reference: 'pi_1', amountCents: null }];
    expect(readStripeEvent(event)).toEqual({ kind: 'link', invoice: 'in_1', paidBy });
  });
});

/** Events about promotion codes, of which no sample is kept. */
const OF_CODES = ['promotion_code.created', 'promotion_code.updated'];

describe.each(GENERATIONS)('the objects that Stripe publishes, of the %s API', (generation) => {
  const published = samples[generation];
  // The published objects are not paid yet, and none carries our metadata.
  const NOT_PAID = { outcome: 'not_paid' };
  const NOT_OURS = { kind: 'payment', transactionId: published.payment_intent?.id, needsAnnouncement: true };
  const INQUIRY = { kind: 'ignored', outcome: 'inquiry' };
  const REFUND = { kind: 'refund', id: published.refund?.id, amountCents: 100, currency: 'USD', state: 'settled' };
  const LINK = { kind: 'link', invoice: 'invoice', paidBy: [] };
  const FACTS: Record<string, [string, object]> = {
    'checkout.session.completed': ['checkout.session', { kind: 'identity', ...NOT_PAID }],
    'checkout.session.async_payment_succeeded': ['checkout.session', { kind: 'identity', ...NOT_PAID }],
    'payment_intent.succeeded': ['payment_intent', NOT_OURS],
    'invoice.paid': ['invoice', NOT_PAID],
    'invoice.payment_succeeded': ['invoice', NOT_PAID],
    'invoice_payment.paid': ['invoice_payment', LINK],
    'charge.refunded': ['charge', { kind: 'charge', chargeId: published.charge?.id }],
    'refund.created': ['refund', REFUND],
    'refund.updated': ['refund', REFUND],
    'refund.failed': ['refund', REFUND],
    'charge.dispute.created': ['dispute', INQUIRY],
    'charge.dispute.updated': ['dispute', INQUIRY],
    'charge.dispute.funds_withdrawn': ['dispute', INQUIRY],
    'charge.dispute.closed': ['dispute', INQUIRY],
    'customer.created': ['customer', IGNORED],
    'customer.updated': ['customer', IGNORED],
    'customer.subscription.created': ['subscription', IGNORED],
  };
  // The older API has no object for the payment of an invoice.
  const events = Object.keys(stripeProcessor.events).filter((type) => (FACTS[type]?.[0] ?? type) in published);

  it.each(events)('%s is read as it is', (type) => {
    const [name, fact] = FACTS[type] as [string, object];
    const event = { ...published.event, type, data: { object: published[name] } };
    expect(stripeProcessor.readEnvelope(event, { raw: Buffer.alloc(0), headers: {} })).toMatchObject({ type });
    expect(stripeProcessor.readEvent(event)).toMatchObject(fact);
  });

  it('include one for every event in the list', () => {
    const missing = Object.keys(stripeProcessor.events).filter((type) => !events.includes(type));
    expect(missing).toEqual([...(generation === '2024' ? ['invoice_payment.paid'] : []), ...OF_CODES]);
  });
});

describe('promotion codes', () => {
  const newer = new StripeEvents('2026', NOW);

  it.each(OF_CODES)('%s says how people write the code', (type) => {
    const fact = readStripeEvent(newer.event(type, { id: 'promo_1', object: 'promotion_code', code: 'BEN20' }));
    expect(fact).toEqual({ kind: 'promotion_code', reference: 'promo_1', code: 'BEN20' });
  });

  it.each<[string, Record<string, unknown>, string[] | undefined]>([
    ['none', { discounts: [] }, undefined],
    ['ids of discounts only, as on invoices', { discounts: ['di_1'], discount: null }, undefined],
    ['the shop’s own word first', { metadata: { svc_coupon_code: 'A' }, discounts: [{ coupon: 'B' }] }, ['A', 'B']],
    [
      'a promotion code before its coupon',
      { discounts: [{ coupon: 'c', promotion_code: 'promo_1' }] },
      ['promo_1', 'c'],
    ],
    [
      'expanded ones',
      { discounts: [{ coupon: { id: 'c', name: 'x' }, promotion_code: { id: 'promo_1', code: 'A' } }] },
      ['A', 'promo_1', 'c'],
    ],
    ['the newer place of a coupon', { discounts: [{ source: { type: 'coupon', coupon: 'c' } }] }, ['c']],
    [
      'the older place of a discount',
      { discount: { coupon: { id: 'c' }, promotion_code: 'promo_1' } },
      ['promo_1', 'c'],
    ],
  ])('of a checkout: %s', (_what, extra, couponCodes) => {
    const { metadata = {}, ...rest } = extra;
    const session = newer.session({ metadata: metadata as Record<string, string>, extra: rest });
    const fact = readStripeEvent(newer.event('checkout.session.completed', session));
    expect('couponCodes' in fact ? fact.couponCodes : undefined).toEqual(couponCodes);
    expect('evidence' in fact && fact.evidence.hint).toBeUndefined();
  });
});

describe('readStripeEvent never throws', () => {
  const types = [
    'checkout.session.completed',
    'promotion_code.created',
    'invoice.paid',
    'invoice_payment.paid',
    'charge.refunded',
    'refund.updated',
    'charge.dispute.closed',
  ];
  const names = ['id', 'mode', 'payment_status', 'amount_total', 'amount_paid', 'amount', 'currency', 'metadata'];
  const more = [
    'lines',
    'parent',
    'payments',
    'payment',
    'customer',
    'invoice',
    'status_transitions',
    'created',
    'discounts',
    'discount',
  ];
  const anything = fc.anything({ withNullPrototype: true });

  it.each(types)('for %s, whatever the object contains', (type) => {
    const object = fc.dictionary(fc.constantFrom(...names, ...more), anything);
    fc.assert(
      fc.property(
        fc.oneof(
          anything,
          object,
          object.map((fields) => ({ ...fields, id: 'x', mode: 'payment' })),
        ),
        (content) => {
          const event = { id: 'evt_1', type, created: 0, livemode: true, data: { object: content } } as StripeEvent;
          expect(readStripeEvent(event)).toHaveProperty('kind');
        },
      ),
    );
  });

  it.each([undefined, null, {}, 'x', { object: null }, { object: [] }])('for data %j, which is ignored', (data) => {
    const event = { id: 'evt_1', type: 'invoice.paid', created: 0, livemode: true, data };
    expect(readStripeEvent(event)).toEqual(IGNORED);
  });
});
