import { randomUUID } from 'node:crypto';
import type { ProcessorName } from '@svc/contract';
import type { Answer, TestService } from '../service.ts';
import { customSigned } from './custom.ts';
import { type LemonEvent, LemonEvents, lemonSigned, newNumber } from './lemonsqueezy.ts';
import { type PaddleEvent, PaddleEvents, sendPaddle } from './paddle.ts';
import { POLAR_SAMPLES, type PolarEvent, PolarEvents, polarSigned } from './polar.ts';
import {
  type Evidence,
  newKeyOf,
  type People,
  type Purchase,
  REFUND_CENTS,
  RENEWAL_CENTS,
  START_CENTS,
  type Teller,
} from './purchases.ts';
import { newId, type StripeEvent, StripeEvents, send } from './stripe.ts';

export type Told = {
  /** The ids of the sales. */
  start: string;
  renewal: string;
  /** What else the first payment is known by. No sale has this id in the end. */
  alias?: string;
  events: ((service: TestService, programId: number) => Promise<Answer>)[];
};

/** Tells a purchase in the events of a processor. It began at the time given. */
type TellPurchase = (purchase: Purchase, people: People, begin: Date) => Told;

const MONTH_MS = 30 * 86_400_000;
const aMonthAfter = (begin: Date) => new Date(begin.getTime() + MONTH_MS);

/** The field in which an event names Bob's coupon, if it does. */
const couponOf = ({ coupon }: Purchase, teller: Teller): { svc_coupon_code?: string } =>
  coupon === teller ? { svc_coupon_code: 'BOB20' } : {};
const emailOf = ({ says }: Purchase, teller: Teller, { email }: People) =>
  says[teller] === 'email of Jane’s' ? email : undefined;

/** What the shop puts on the first payment or on another object, besides the coupon. */
function ownDataOf(purchase: Purchase, teller: Teller, people: People): Record<string, string> {
  const newKey = teller === 'start' ? newKeyOf(purchase, people.key) : {};
  return { ...newKey, ...dataOf(purchase.says[teller], people) };
}

function dataOf(said: Evidence, { key, janesClick, bobsClick }: People): Record<string, string> {
  switch (said) {
    case 'key of Jane’s':
      return { svc_customer_key: key };
    case 'click of Jane’s':
      return { svc_click_id: janesClick };
    case 'click of Bob’s':
      return { svc_click_id: bobsClick };
    default:
      return {};
  }
}

export const stripePurchase: TellPurchase = (purchase, people, begin) => {
  const stripe = new StripeEvents(purchase.generation, begin);
  const later = new StripeEvents(purchase.generation, aMonthAfter(begin));
  const [customer, subscription, paymentIntent, charge] = [newId('cus'), newId('sub'), newId('pi'), newId('ch')];
  const says = (teller: Teller) => ({
    customer,
    email: emailOf(purchase, teller, people) ?? null,
    metadata: { ...ownDataOf(purchase, teller, people), ...couponOf(purchase, teller) },
  });
  const invoice = stripe.invoice({ ...says('start'), subscription, paymentIntent, cents: START_CENTS });
  const cycle = { subscription, cents: RENEWAL_CENTS, reason: 'subscription_cycle' };
  const renewal = later.invoice({ ...says('renewal'), ...cycle });
  const session = stripe.session({ ...says('checkout'), subscription, extra: { invoice: invoice.id } });
  const { metadata } = says('customer');
  const dispute = stripe.dispute({ charge, paymentIntent, cents: START_CENTS });
  const taken = {
    nothing: [],
    refund: [stripe.event('refund.created', stripe.refund({ charge, paymentIntent, cents: REFUND_CENTS }))],
    dispute: [stripe.event('charge.dispute.created', dispute)],
    'dispute, won': [
      stripe.event('charge.dispute.created', dispute),
      stripe.event('charge.dispute.closed', { ...dispute, status: 'won' }),
    ],
  };
  const events: StripeEvent[] = [
    stripe.event('checkout.session.completed', session),
    stripe.event('customer.created', stripe.customer({ id: customer, metadata })),
    stripe.event('invoice.paid', invoice),
    stripe.event('invoice_payment.paid', stripe.invoicePayment(invoice.id, paymentIntent, { cents: START_CENTS })),
    ...(purchase.hasRenewal ? [later.event('invoice.paid', renewal)] : []),
    ...taken[purchase.taken],
  ];
  const ready = events.map((event) => (service: TestService, id: number) => send(service, id, event));
  return { start: invoice.id, renewal: renewal.id, alias: paymentIntent, events: ready };
};

/** At Paddle, the subscription stands for the checkout. */
const paddlePurchase: TellPurchase = (purchase, people, begin) => {
  const paddle = new PaddleEvents(begin);
  const later = new PaddleEvents(aMonthAfter(begin));
  const [customer, subscription, discount] = [newId('ctm'), newId('sub'), newId('dsc')];
  const dataBy = (teller: Teller) => ownDataOf(purchase, teller, people);
  const hasCoupon = purchase.coupon === 'start';
  const start = paddle.transaction({
    customer,
    subscription,
    cents: START_CENTS,
    customData: dataBy('start'),
    ...(hasCoupon && { extra: { discount_id: discount } }),
  });
  const cycle = { cents: RENEWAL_CENTS, origin: 'subscription_recurring', customData: dataBy('renewal') };
  const renewal = later.transaction({ customer, subscription, ...cycle });
  const email = emailOf(purchase, 'customer', people);
  const known = email === undefined ? { customData: dataBy('customer') } : { email };
  const adjusted = (name: string, action: string, cents: number) =>
    paddle.event(`adjustment.${name}`, paddle.adjustment({ transaction: start.id, action, cents }));
  const chargeback = adjusted('created', 'chargeback', START_CENTS);
  const taken = {
    nothing: [],
    refund: [adjusted('updated', 'refund', REFUND_CENTS)],
    dispute: [chargeback],
    'dispute, won': [chargeback, adjusted('created', 'chargeback_reverse', START_CENTS)],
  };
  const events: PaddleEvent[] = [
    paddle.event('subscription.created', paddle.subscription(subscription, customer, dataBy('checkout'))),
    paddle.event('customer.created', paddle.customer(customer, known)),
    paddle.event('transaction.completed', start),
    ...(hasCoupon ? [paddle.event('discount.created', { id: discount, code: 'BOB20', status: 'active' })] : []),
    ...(purchase.hasRenewal ? [later.event('transaction.completed', renewal)] : []),
    ...taken[purchase.taken],
  ];
  const ready = events.map((event) => (service: TestService, id: number) => sendPaddle(service, id, event));
  return { start: start.id, renewal: renewal.id, events: ready };
};

/** At Polar, the order has what its checkout contained. Polar settles disputes itself, and they are told as refunds here. */
const polarPurchase: TellPurchase = (purchase, people, begin) => {
  const polar = new PolarEvents(begin);
  const later = new PolarEvents(aMonthAfter(begin));
  const [customer, subscription] = [randomUUID(), randomUUID()];
  const buyer = (teller: Teller) => {
    const email = emailOf(purchase, teller, people);
    return { ...POLAR_SAMPLES.order.customer, id: customer, ...(email !== undefined && { email }) };
  };
  const discount = purchase.coupon === 'start' ? { ...POLAR_SAMPLES.discount, code: 'BOB20' } : null;
  const start = polar.order({
    customer,
    subscription,
    cents: START_CENTS,
    metadata: { ...ownDataOf(purchase, 'start', people), ...couponOf(purchase, 'checkout') },
    extra: { customer: buyer('start'), discount },
  });
  const renewal = later.order({
    customer,
    subscription,
    cents: RENEWAL_CENTS,
    reason: 'subscription_cycle',
    metadata: ownDataOf(purchase, 'renewal', people),
    extra: { customer: buyer('renewal') },
  });
  const refunded = (cents: number) => [
    polar.event('refund.created', polar.refund({ order: start.id, cents })),
    polar.event('order.refunded', { ...start, refunded_amount: cents }),
  ];
  const taken = {
    nothing: [],
    refund: refunded(REFUND_CENTS),
    dispute: refunded(START_CENTS),
    'dispute, won': [polar.event('refund.updated', polar.refund({ order: start.id, cents: 100, status: 'failed' }))],
  };
  const metadata = ownDataOf(purchase, 'customer', people);
  const events: PolarEvent[] = [
    polar.event('customer.created', polar.customer(customer, metadata)),
    polar.event('order.paid', start),
    ...(purchase.hasRenewal ? [later.event('order.paid', renewal)] : []),
    ...taken[purchase.taken],
  ];
  const ready = events.map((event) => {
    const [id, body] = [randomUUID(), JSON.stringify(event)];
    return (service: TestService, programId: number) =>
      service.call('POST', `/api/v1/webhooks/polar/${programId}`, {
        body,
        headers: polarSigned(body, service.time, id),
      });
  });
  return { start: start.id, renewal: renewal.id, events: ready };
};

/** At Lemon Squeezy, the order stands for the checkout and the subscription for the customer. Disputes are told as refunds. */
const lemonPurchase: TellPurchase = (purchase, people, begin) => {
  const lemon = new LemonEvents(begin);
  const later = new LemonEvents(aMonthAfter(begin));
  const [customer, subscription] = [newNumber(), newNumber()];
  const buyer = (teller: Teller) => {
    const email = emailOf(purchase, teller, people);
    return { customer, extra: email === undefined ? {} : { user_email: email } };
  };
  const order = lemon.order({ ...buyer('checkout'), cents: START_CENTS });
  const invoice = lemon.invoice(subscription, 'initial', { ...buyer('start'), cents: START_CENTS });
  const renewal = later.invoice(subscription, 'renewal', { ...buyer('renewal'), cents: RENEWAL_CENTS });
  const about = lemon.subscription(subscription, { order: Number(order.id), customer });
  const told = (name: string, object: LemonEvent['data'], teller: Teller, by = lemon) =>
    by.event(name, object, { ...ownDataOf(purchase, teller, people), ...couponOf(purchase, teller) });
  const refunded = ({ attributes, ...object }: LemonEvent['data'], cents: number) => ({
    ...object,
    attributes: { ...attributes, refunded_amount: cents },
  });
  const orderRefunded = (cents: number) => lemon.event('order_refunded', refunded(order, cents));
  const invoiceRefunded = (cents: number) => lemon.event('subscription_payment_refunded', refunded(invoice, cents));
  const taken = {
    nothing: [],
    refund: [orderRefunded(REFUND_CENTS), invoiceRefunded(REFUND_CENTS)],
    dispute: [purchase.generation === '2026' ? orderRefunded(START_CENTS) : invoiceRefunded(START_CENTS)],
    'dispute, won': [],
  };
  const events: LemonEvent[] = [
    told('order_created', order, 'checkout'),
    told('subscription_created', about, 'customer'),
    told('subscription_payment_success', invoice, 'start'),
    ...(purchase.hasRenewal ? [told('subscription_payment_success', renewal, 'renewal', later)] : []),
    ...taken[purchase.taken],
  ];
  const ready = events.map((event) => (service: TestService, id: number) => {
    const body = JSON.stringify(event);
    return service.call('POST', `/api/v1/webhooks/lemonsqueezy/${id}`, { body, headers: lemonSigned(body) });
  });
  return {
    start: `ls_subscription_${subscription}`,
    renewal: `ls_invoice_${renewal.id}`,
    alias: `ls_order_${order.id}`,
    events: ready,
  };
};

/** The events that a shop sends itself. */
const customPurchase: TellPurchase = (purchase, people, begin) => {
  const [customer_id, subscription, start, renewal] = [newId('c'), newId('sub'), newId('order'), newId('order')];
  const payerOf = (teller: Teller) => {
    const { svc_customer_key, svc_click_id } = ownDataOf(purchase, teller, people);
    const email = emailOf(purchase, teller, people);
    return { customer_id, customer_key: svc_customer_key, click_id: svc_click_id, email };
  };
  const paid = (teller: 'start' | 'renewal', transaction_id: string, amount_cents: number, at: Date) => ({
    type: 'payment',
    at,
    transaction_id,
    amount_cents,
    payer: payerOf(teller),
    subscription: { id: subscription, stage: teller },
    coupon_code: couponOf(purchase, teller).svc_coupon_code,
  });
  const refund = { type: 'refund', at: begin, refund_id: newId('re'), transaction_id: start };
  const dispute = { type: 'dispute', at: begin, dispute_id: newId('dp'), transaction_id: start };
  const disputed = (status: 'open' | 'won') => ({ ...dispute, amount_cents: START_CENTS, status });
  const taken = {
    nothing: [],
    refund: [{ ...refund, amount_cents: REFUND_CENTS, status: 'succeeded' }],
    dispute: [disputed('open')],
    'dispute, won': [disputed('open'), disputed('won')],
  };
  const events: object[] = [
    { type: 'identity', at: begin, payer: payerOf('checkout') },
    { type: 'identity', at: begin, payer: payerOf('customer') },
    paid('start', start, START_CENTS, begin),
    ...(purchase.hasRenewal ? [paid('renewal', renewal, RENEWAL_CENTS, aMonthAfter(begin))] : []),
    ...taken[purchase.taken],
  ];
  const ready = events.map((event) => (service: TestService, id: number) => {
    const body = JSON.stringify(event);
    const headers = customSigned(body, service.time);
    return service.call('POST', `/api/v1/webhooks/custom/${id}`, { body, headers });
  });
  return { start, renewal, events: ready };
};

/** How a purchase is told by each payment processor. */
export const TELL_PURCHASE: Record<ProcessorName, TellPurchase> = {
  stripe: stripePurchase,
  paddle: paddlePurchase,
  polar: polarPurchase,
  lemonsqueezy: lemonPurchase,
  custom: customPurchase,
};
