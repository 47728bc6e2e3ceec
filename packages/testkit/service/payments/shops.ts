import { randomUUID } from 'node:crypto';
import type { ProcessorName } from '@svc/contract';
import { OPERATOR } from '../../../server/src/audit/audit-store.ts';
import { addSecret } from '../../../server/src/payments/connections/change-secrets.ts';
import { connectProcessor } from '../../../server/src/payments/connections/connect-processor.ts';
import type { Answer, TestProgram, TestService } from '../service.ts';
import { CUSTOM_SECRET, customSigned } from './custom.ts';
import { LEMON_SECRET, type LemonEvent, LemonEvents, lemonEventId, lemonSigned, newNumber } from './lemonsqueezy.ts';
import { connectPaddle, PADDLE_TEST_SECRET, type PaddleEvent, PaddleEvents, sendPaddle } from './paddle.ts';
import { POLAR_SECRET, POLAR_TEST_SECRET, PolarEvents, polarSigned } from './polar.ts';
import { connectStripe, newId, type StripeEvent, StripeEvents, send } from './stripe.ts';

/** An event that is ready to be sent. */
export type Sent = { id: string; send(programId: number): Promise<Answer> };

type Purchase = {
  key?: string;
  /** The program that the metadata names. */
  programId?: number;
  cents?: number;
  /** How much of it is tax. */
  tax?: number;
  currency?: string;
  customer?: string;
  /** The code of a partner, as the shop names it. */
  coupon?: string;
  isTest?: boolean;
};

/** A payment: the id of its sale, and the events that report it. */
export type Payment = { id: string; reference: string; events: Sent[] };

/** What happens in a shop, told in the events of its payment processor. */
export type Shop = {
  connect(made: TestProgram): Promise<void>;
  /** A one-off payment. */
  pay(purchase: Purchase): Payment;
  /** A payment of a subscription. */
  payFor(subscription: string, stage: 'start' | 'cycle' | 'change', purchase: Purchase): Payment;
  refund(payment: Payment, cents: number): Sent[];
  /** A refund that comes to nothing, if the processor reports such. */
  failedRefund(payment: Payment, cents: number): Sent[];
  /** Nothing where the processor does not report disputes: see `WITH_DISPUTES`. */
  dispute(payment: Payment, cents: number): { opened: Sent[]; won: Sent[] };
  /** A question of the bank that takes no money, if the processor reports such. */
  inquiry(payment: Payment, cents: number): Sent[];
  /** Data on the processor's customer. */
  describeCustomer(customer: string, key: string): Sent[];
};

const metadataOf = ({ key, programId, coupon }: Purchase) => ({
  ...(coupon !== undefined && { svc_coupon_code: coupon }),
  ...(key !== undefined && { svc_customer_key: key }),
  ...(programId !== undefined && { program_id: String(programId) }),
});

function stripeShop(service: TestService): Shop {
  const stripe = () => new StripeEvents('2026', service.time);
  const ready = (event: StripeEvent): Sent => ({ id: event.id, send: (programId) => send(service, programId, event) });
  const event = (type: string, object: object, isTest = false) => ready(stripe().event(type, object, !isTest));
  const of = ({ reference }: Payment) => ({ charge: `ch_of_${reference}`, paymentIntent: reference });
  return {
    connect: (made) => connectStripe(service, made),
    pay(purchase) {
      const reference = newId('pi');
      const session = stripe().session({ ...purchase, metadata: metadataOf(purchase), paymentIntent: reference });
      const events = [event('checkout.session.completed', session, purchase.isTest)];
      return { id: reference, reference, events };
    },
    payFor(subscription, stage, purchase) {
      const reference = newId('pi');
      const reason = { start: 'subscription_create', cycle: 'subscription_cycle', change: 'subscription_update' }[
        stage
      ];
      const invoice = stripe().invoice({ ...purchase, metadata: metadataOf(purchase), subscription, reason });
      const link = stripe().invoicePayment(invoice.id, reference, { cents: invoice.amount_paid });
      const events = [event('invoice.paid', invoice, purchase.isTest), event('invoice_payment.paid', link)];
      return { id: invoice.id, reference, events };
    },
    refund: (payment, cents) => [event('refund.created', stripe().refund({ ...of(payment), cents }))],
    failedRefund(payment, cents) {
      const refund = stripe().refund({ ...of(payment), cents, status: 'pending' });
      return [event('refund.created', refund), event('refund.updated', { ...refund, status: 'failed' })];
    },
    dispute(payment, cents) {
      const dispute = stripe().dispute({ ...of(payment), cents });
      const won = event('charge.dispute.closed', { ...dispute, status: 'won' });
      return { opened: [event('charge.dispute.created', dispute)], won: [won] };
    },
    inquiry(payment, cents) {
      const inquiry = stripe().dispute({ ...of(payment), cents, status: 'warning_needs_response' });
      return [event('charge.dispute.created', inquiry)];
    },
    describeCustomer: (customer, key) => [
      event('customer.updated', stripe().customer({ id: customer, metadata: metadataOf({ key }) })),
    ],
  };
}

function paddleShop(service: TestService): Shop {
  const paddle = () => new PaddleEvents(service.time);
  const ready = (event: PaddleEvent, secret?: string): Sent => ({
    id: event.event_id,
    send: (programId) => sendPaddle(service, programId, event, secret),
  });
  const event = (type: string, object: object, isTest = false) =>
    ready(paddle().event(type, object), isTest ? PADDLE_TEST_SECRET : undefined);
  const transaction = (purchase: Purchase, parts: object = {}): Payment => {
    const [id, customer] = [newId('txn'), purchase.customer ?? newId('ctm')];
    const purchased = { ...purchase, id, customer, customData: metadataOf(purchase), ...parts };
    const completed = paddle().transaction(purchased);
    // The transaction has no subscription yet when it is paid.
    const paid = paddle().transaction({ ...purchased, status: 'paid', subscription: null });
    const events = [
      event('transaction.paid', paid, purchase.isTest),
      event('transaction.completed', completed, purchase.isTest),
    ];
    return { id, reference: id, events };
  };
  const adjust = ({ reference: transaction }: Payment, cents: number, action: string) => {
    const id = newId('adj');
    const adjusted = (name: string, status: string) =>
      event(`adjustment.${name}`, paddle().adjustment({ id, transaction, cents, action, status }));
    return {
      created: (status: string) => adjusted('created', status),
      updated: (status: string) => adjusted('updated', status),
    };
  };
  return {
    async connect(made) {
      await connectPaddle(service, made);
      await addSecret(service.ctx, made.program, 'paddle', { value: PADDLE_TEST_SECRET, isTest: true }, OPERATOR);
    },
    pay: (purchase) => transaction(purchase),
    payFor(subscription, stage, purchase) {
      const origin = { start: 'web', cycle: 'subscription_recurring', change: 'subscription_update' }[stage];
      return transaction(purchase, { subscription, origin });
    },
    refund(payment, cents) {
      const refund = adjust(payment, cents, 'refund');
      return [refund.created('pending_approval'), refund.updated('approved')];
    },
    failedRefund(payment, cents) {
      const refund = adjust(payment, cents, 'refund');
      return [refund.created('pending_approval'), refund.updated('rejected')];
    },
    dispute(payment, cents) {
      const chargeback = adjust(payment, cents, 'chargeback');
      const reversal = adjust(payment, cents, 'chargeback_reverse');
      return {
        opened: [chargeback.created('approved')],
        won: [chargeback.updated('reversed'), reversal.created('approved')],
      };
    },
    inquiry: (payment, cents) => [adjust(payment, cents, 'chargeback_warning').created('approved')],
    describeCustomer: (customer, key) => [
      event('customer.updated', paddle().customer(customer, { customData: metadataOf({ key }) })),
    ],
  };
}

const NO_DISPUTE = () => ({ opened: [], won: [] });

/** Connects a program to a processor with a secret, as owners do. */
async function connect(
  service: TestService,
  { program }: TestProgram,
  provider: ProcessorName,
  value: string,
): Promise<void> {
  const settings = { provider, accountId: null, secret: { value, isTest: false }, isSandbox: false };
  await connectProcessor(service.ctx, program, settings, { hasPlatform: false, actor: OPERATOR });
}

function polarShop(service: TestService): Shop {
  const polar = () => new PolarEvents(service.time);
  const event = (type: string, object: object, isTest = false): Sent => {
    const [id, body] = [randomUUID(), JSON.stringify(polar().event(type, object))];
    const secret = isTest ? POLAR_TEST_SECRET : POLAR_SECRET;
    const send = (programId: number) => {
      const headers = polarSigned(body, service.time, id, secret);
      return service.call('POST', `/api/v1/webhooks/polar/${programId}`, { body, headers });
    };
    return { id, send };
  };
  const pay = (purchase: Purchase, parts: object = {}): Payment => {
    const id = randomUUID();
    const order = polar().order({ ...purchase, id, metadata: metadataOf(purchase), ...parts });
    return { id, reference: id, events: [event('order.paid', order, purchase.isTest)] };
  };
  const refunded = new Map<string, number>();
  return {
    async connect(made) {
      await connect(service, made, 'polar', POLAR_SECRET);
      await addSecret(service.ctx, made.program, 'polar', { value: POLAR_TEST_SECRET, isTest: true }, OPERATOR);
    },
    pay: (purchase) => pay(purchase),
    payFor(subscription, stage, purchase) {
      const reason = { start: 'subscription_create', cycle: 'subscription_cycle', change: 'subscription_update' }[
        stage
      ];
      return pay(purchase, { subscription, reason });
    },
    refund({ id }, cents) {
      const total = (refunded.get(id) ?? 0) + cents;
      refunded.set(id, total);
      const refund = polar().refund({ order: id, cents, status: 'pending' });
      return [
        event('refund.created', refund),
        event('refund.updated', { ...refund, status: 'succeeded' }),
        event('order.refunded', polar().order({ id, extra: { refunded_amount: total } })),
      ];
    },
    failedRefund({ id }, cents) {
      const refund = polar().refund({ order: id, cents, status: 'pending' });
      return [event('refund.created', refund), event('refund.updated', { ...refund, status: 'failed' })];
    },
    dispute: NO_DISPUTE,
    inquiry: () => [],
    describeCustomer: (customer, key) => [event('customer.updated', polar().customer(customer, metadataOf({ key })))],
  };
}

function lemonShop(service: TestService): Shop {
  const lemon = () => new LemonEvents(service.time);
  // Its ids are numbers, whatever tests call things.
  const numbers = new Map<string, number>();
  const numberOf = (name: string) => {
    if (!numbers.has(name)) numbers.set(name, newNumber());
    return Number(numbers.get(name));
  };
  const ready = (made: LemonEvent): Sent => {
    const body = JSON.stringify(made);
    const send = (programId: number) =>
      service.call('POST', `/api/v1/webhooks/lemonsqueezy/${programId}`, { body, headers: lemonSigned(body) });
    return { id: lemonEventId(body), send };
  };
  const event = (name: string, object: LemonEvent['data'], purchase: Purchase = {}) =>
    ready(lemon().event(name, object, metadataOf(purchase), purchase.isTest));
  const paidOf = ({ cents, tax, currency, customer = newId('customer') }: Purchase) => ({
    customer: numberOf(customer),
    ...(cents !== undefined && { cents }),
    ...(tax !== undefined && { tax }),
    ...(currency !== undefined && { currency }),
  });
  /** What can be refunded: every object by which the payment is known, with the event that says so. */
  const objects = new Map<string, [name: string, object: LemonEvent['data']][]>();
  const refunded = new Map<string, number>();
  return {
    connect: (made) => connect(service, made, 'lemonsqueezy', LEMON_SECRET),
    pay(purchase) {
      const order = lemon().order(paidOf(purchase));
      const id = `ls_order_${order.id}`;
      objects.set(id, [['order_refunded', order]]);
      return { id, reference: id, events: [event('order_created', order, purchase)] };
    },
    payFor(name, stage, purchase) {
      const [subscription, paid] = [numberOf(name), paidOf(purchase)];
      if (stage !== 'start') {
        const invoice = lemon().invoice(subscription, stage === 'cycle' ? 'renewal' : 'updated', paid);
        const id = `ls_invoice_${invoice.id}`;
        objects.set(id, [['subscription_payment_refunded', invoice]]);
        return { id, reference: id, events: [event('subscription_payment_success', invoice, purchase)] };
      }
      // The first payment is reported as an order, too.
      const [order, invoice] = [lemon().order(paid), lemon().invoice(subscription, 'initial', paid)];
      const about = lemon().subscription(subscription, { order: Number(order.id), customer: paid.customer });
      const id = `ls_subscription_${subscription}`;
      objects.set(id, [
        ['order_refunded', order],
        ['subscription_payment_refunded', invoice],
      ]);
      const events = [
        event('order_created', order, purchase),
        event('subscription_created', about, purchase),
        event('subscription_payment_success', invoice, purchase),
      ];
      return { id, reference: id, events };
    },
    refund({ id }, cents) {
      const total = (refunded.get(id) ?? 0) + cents;
      refunded.set(id, total);
      return (objects.get(id) ?? []).map(([name, object]) => {
        const changes = { refunded_amount: total, updated_at: service.time.toISOString() };
        return event(name, { ...object, attributes: { ...object.attributes, ...changes } });
      });
    },
    failedRefund: () => [],
    dispute: NO_DISPUTE,
    inquiry: () => [],
    describeCustomer: (customer, key) => [
      event('subscription_updated', lemon().subscription(newNumber(), { customer: numberOf(customer) }), { key }),
    ],
  };
}

function customShop(service: TestService): Shop {
  const event = (fields: object): Sent => {
    const [id, body] = [newId('event'), JSON.stringify({ at: service.time.toISOString(), ...fields })];
    const send = (programId: number) => {
      const headers = customSigned(body, service.time, id);
      return service.call('POST', `/api/v1/webhooks/custom/${programId}`, { body, headers });
    };
    return { id, send };
  };
  const pay = ({ key, cents = 5_000, tax, customer, isTest, ...more }: Purchase, parts: object = {}): Payment => {
    const id = newId('order');
    const payer = { customer_key: key, customer_id: customer };
    const payment = { type: 'payment', transaction_id: id, amount_cents: cents, tax_cents: tax, payer };
    const optional = { currency: more.currency, coupon_code: more.coupon };
    return {
      id,
      reference: id,
      events: [event({ ...payment, ...optional, ...(isTest && { test_mode: true }), ...parts })],
    };
  };
  const taken = (type: 'refund' | 'dispute', { id: transaction_id }: Payment, cents: number) => {
    const id = newId(type);
    return (status: string) => event({ type, [`${type}_id`]: id, transaction_id, amount_cents: cents, status });
  };
  return {
    connect: (made) => connect(service, made, 'custom', CUSTOM_SECRET),
    pay: (purchase) => pay(purchase),
    payFor: (id, stage, purchase) =>
      pay(purchase, { subscription: { id, stage: stage === 'cycle' ? 'renewal' : stage } }),
    refund(payment, cents) {
      const refund = taken('refund', payment, cents);
      return [refund('pending'), refund('succeeded')];
    },
    failedRefund(payment, cents) {
      const refund = taken('refund', payment, cents);
      return [refund('pending'), refund('failed')];
    },
    dispute(payment, cents) {
      const dispute = taken('dispute', payment, cents);
      return { opened: [dispute('open')], won: [dispute('won')] };
    },
    inquiry: () => [],
    describeCustomer: (customer, key) => [
      event({ type: 'identity', payer: { customer_id: customer, customer_key: key } }),
    ],
  };
}

/** A shop on each payment processor. */
export const SHOPS: Record<ProcessorName, (service: TestService) => Shop> = {
  stripe: stripeShop,
  paddle: paddleShop,
  polar: polarShop,
  lemonsqueezy: lemonShop,
  custom: customShop,
};

/** Merchants of record and shops themselves settle disputes in other ways, and few tell about questions of the bank. */
export const WITH_DISPUTES: ProcessorName[] = ['stripe', 'paddle', 'custom'];
export const WITH_INQUIRIES: ProcessorName[] = ['stripe', 'paddle'];
/** The metadata of checkouts may name a program. Shops that send events themselves send them to its address. */
export const WITH_METADATA: ProcessorName[] = ['stripe', 'paddle', 'polar', 'lemonsqueezy'];
