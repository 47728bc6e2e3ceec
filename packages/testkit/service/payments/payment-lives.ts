import fc from 'fast-check';
import {
  type Bill,
  intentId,
  invoiceId,
  type Life,
  type OneOff,
  type Payment,
  paidAfter,
  SHAPES,
  type Subscription,
} from './payments-model.ts';
import { type Generation, type StripeEvent, StripeEvents } from './stripe.ts';

/** Refunds never add up to more than the payment, as at Stripe. */
function payments(cents: number): fc.Arbitrary<Payment> {
  const part = fc.double({ min: 0, max: 1, noNaN: true });
  const refund = fc.record({
    part,
    ends: fc.constantFrom(
      'succeeded' as const,
      'succeeded' as const,
      'pending' as const,
      'failed' as const,
      'canceled' as const,
    ),
    isInstant: fc.boolean(),
  });
  const dispute = fc.record({
    part,
    ends: fc.constantFrom('open' as const, 'won' as const, 'lost' as const, 'inquiry' as const),
  });
  return fc
    .record({ refunds: fc.array(refund, { maxLength: 3 }), dispute: fc.option(dispute, { freq: 3 }) })
    .map(({ refunds: some, dispute: one }) => {
      let left = cents;
      const refunds: Payment['refunds'] = [];
      for (const { part: share, ...rest } of some) {
        const amount = Math.floor(share * left);
        if (amount === 0) continue;
        refunds.push({ ...rest, cents: amount });
        if (rest.ends === 'succeeded' || rest.ends === 'pending') left -= amount;
      }
      const disputed = one && cents > 0 ? { ends: one.ends, cents: Math.max(Math.floor(one.part * cents), 1) } : null;
      return { cents, refunds, dispute: disputed };
    });
}

const amounts = fc.integer({ min: 1, max: 9_999 });
// Well on one side of the attribution window or the other.
const days = fc.oneof(fc.integer({ min: 0, max: 28 }), fc.integer({ min: 32, max: 60 }));

const oneOffs: fc.Arbitrary<OneOff> = fc
  .tuple(fc.constantFrom(...SHAPES), days, amounts.chain(payments))
  .map(([shape, day, payment]) => ({ kind: 'one_off', shape, day, payment }));

const billLists: fc.Arbitrary<Bill[]> = fc.oneof(
  { weight: 4, arbitrary: amounts.map((cents): Bill[] => [{ reason: 'cycle', cents }]) },
  { weight: 1, arbitrary: fc.constant<Bill[]>([{ reason: 'cycle', cents: 0 }]) },
  { weight: 2, arbitrary: amounts.map((cents): Bill[] => [{ reason: 'update', cents }]) },
  {
    weight: 2,
    arbitrary: fc.tuple(amounts, amounts).map(([one, other]): Bill[] => [
      { reason: 'cycle', cents: one },
      { reason: 'update', cents: other },
    ]),
  },
);
const paidBills = billLists.chain((bills) =>
  payments(bills.reduce((sum, { cents }) => sum + cents, 0)).map((payment) => ({ bills, payment })),
);
const subscriptions: fc.Arbitrary<Subscription> = fc
  .record({
    day: days,
    hasTrial: fc.boolean(),
    hasMetadata: fc.boolean(),
    payments: fc.array(paidBills, { minLength: 1, maxLength: 4 }),
  })
  .map((subscription) => ({ kind: 'subscription', ...subscription }));

export const lives: fc.Arbitrary<Life> = fc.record({
  signup: fc.constantFrom('server' as const, 'server' as const, 'page' as const, 'none' as const),
  purchases: fc.array(fc.oneof(oneOffs, subscriptions), { minLength: 1, maxLength: 2 }),
});

/** All that Stripe reports about the life of a customer. The tag makes its ids unique. */
export function eventsOf(
  life: Life,
  { generation, clickedAt, metadata, tag }: { generation: Generation; clickedAt: Date; metadata: object; tag: string },
): StripeEvent[] {
  const stripe = new StripeEvents(generation, clickedAt);
  const start = stripe.at;
  const id = (name: string) => `${name}_${tag}`;
  const events: StripeEvent[] = [];
  const emit = (type: string, object: object) => events.push(stripe.event(type, object));

  const link = (invoice: string, paymentIntent: string, cents: number) =>
    emit('invoice_payment.paid', stripe.invoicePayment(invoice, paymentIntent, { cents }));

  function buy({ shape, day, payment: { cents, ...after } }: OneOff, purchase: number) {
    stripe.at = start + paidAfter(purchase, day, 0);
    const [paymentIntent, invoiceName] = [id(intentId(purchase)), id(invoiceId(purchase))];
    const invoice = shape === 'invoiced' ? invoiceName : null;
    const session = { ...stripe.session({ metadata, paymentIntent, cents }), id: id(`cs_${purchase}`), invoice };
    const intent = stripe.paymentIntent({ id: paymentIntent, cents });
    if (shape === 'checkout' || shape === 'both' || shape === 'invoiced') emit('checkout.session.completed', session);
    if (shape === 'captured') emit('checkout.session.completed', { ...session, payment_status: 'unpaid' });
    if (shape === 'captured') emit('payment_intent.succeeded', intent);
    if (shape === 'intent' || shape === 'both' || shape === 'attached') {
      emit('payment_intent.succeeded', { ...intent, metadata });
    }
    if (shape === 'invoiced' || shape === 'attached') {
      const extra = { id: invoiceName, parent: null, subscription: null, lines: { data: [] }, metadata };
      emit('invoice.paid', stripe.invoice({ cents, paymentIntent, reason: 'manual', customer: null, extra }));
      link(invoiceName, paymentIntent, cents);
    }
    takeBack(paymentIntent, { cents, ...after });
  }

  function subscribe({ day, hasTrial, hasMetadata, payments: list }: Subscription, purchase: number) {
    const [customer, subscription] = [id(`cus_${purchase}`), id(`sub_${purchase}`)];
    const onInvoice = hasMetadata ? metadata : {};
    const of = { metadata: onInvoice, customer, subscription };
    stripe.at = start + paidAfter(purchase, day, 0) - 5;
    emit('checkout.session.completed', {
      ...stripe.session({ metadata, customer, subscription }),
      id: id(`cs_${purchase}`),
    });
    if (hasTrial) emit('invoice.paid', { ...stripe.invoice({ ...of, cents: 0 }), id: id(invoiceId(purchase)) });
    list.forEach(({ bills, payment }, index) => {
      const period = index + (hasTrial ? 1 : 0);
      const paymentIntent = id(intentId(purchase, period));
      bills.forEach(({ reason, cents }, bill) => {
        stripe.at = start + paidAfter(purchase, day, period, bill);
        const isStart = period === 0 && reason === 'cycle';
        const fields = {
          ...of,
          cents,
          paymentIntent,
          reason: isStart ? 'subscription_create' : `subscription_${reason}`,
        };
        const invoice = { ...stripe.invoice(fields), id: id(invoiceId(purchase, period, bill)) };
        emit('invoice.paid', invoice);
        emit('invoice.payment_succeeded', invoice);
        link(invoice.id, paymentIntent, cents);
      });
      takeBack(paymentIntent, payment);
    });
  }

  function takeBack(paymentIntent: string, { cents, refunds, dispute }: Payment) {
    const of = { charge: paymentIntent.replace('pi_', 'ch_'), paymentIntent };
    let refunded = 0;
    refunds.forEach((refund, index) => {
      const object = { ...of, id: paymentIntent.replace('pi_', `re_${index}_`), cents: refund.cents };
      stripe.at += 60;
      const created = stripe.refund({ ...object, status: 'pending' });
      refunded += refund.cents;
      emit('refund.created', created);
      emit('charge.refunded', stripe.charge({ id: of.charge, paymentIntent, cents, refunded }));
      if (refund.ends === 'pending') return;
      stripe.at += refund.isInstant ? 0 : 30;
      emit('refund.updated', { ...created, status: refund.ends });
      if (refund.ends !== 'succeeded') refunded -= refund.cents;
    });
    if (!dispute) return;
    const { ends } = dispute;
    const object = { ...of, id: paymentIntent.replace('pi_', 'dp_'), cents: dispute.cents };
    stripe.at += 60;
    emit(
      'charge.dispute.created',
      stripe.dispute({ ...object, status: ends === 'inquiry' ? 'warning_needs_response' : 'needs_response' }),
    );
    stripe.at += 60;
    const closed = ends === 'inquiry' ? 'warning_closed' : ends;
    if (ends !== 'open') emit('charge.dispute.closed', stripe.dispute({ ...object, status: closed }));
  }

  life.purchases.forEach((purchase, index) => {
    if (purchase.kind === 'one_off') buy(purchase, index);
    else subscribe(purchase, index);
  });
  return events;
}
