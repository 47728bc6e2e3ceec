import fc from 'fast-check';
import type { Answer, TestService } from '../service.ts';
import { customSigned } from './custom.ts';
import { type PaddleEvent, PaddleEvents, sendPaddle } from './paddle.ts';
import { GENERATIONS, type Generation, newId, type StripeEvent, StripeEvents, send } from './stripe.ts';

// A purchase is told by several events that share the processor's ids. Each of them says something else about who paid, or
// nothing. Whoever reads them in another order must come to the same result.

/** What an event says about who paid. Jane's customer signed up with an e-mail address; Bob's customer only clicked. */
export const EVIDENCE = ['nothing', 'email of Jane’s', 'key of Jane’s', 'click of Jane’s', 'click of Bob’s'] as const;
export type Evidence = (typeof EVIDENCE)[number];

/** The events of a purchase that can say who paid, in the order in which they happen. */
export const TELLERS = ['checkout', 'customer', 'start', 'renewal'] as const;
export type Teller = (typeof TELLERS)[number];

export type Purchase = {
  says: Record<Teller, Evidence>;
  /** Which event names Bob's coupon, if one does. */
  coupon: 'checkout' | 'start' | null;
  hasRenewal: boolean;
  /** How much of the first payment is refunded. */
  refundCents: number;
  /** Whether the first payment has a key that nobody holds. */
  hasNewKey: boolean;
  generation: Generation;
};

/** The processors whose purchases are told here. */
export type Processor = 'stripe' | 'paddle' | 'custom';

/** The people behind a purchase, and what they are known by. */
export type People = { email: string; key: string; janesClick: string; bobsClick: string };

const evidence = fc.constantFrom(...EVIDENCE, 'nothing' as const, 'nothing' as const);

export const purchases: fc.Arbitrary<Purchase> = fc.record({
  says: fc.record({ checkout: evidence, customer: evidence, start: evidence, renewal: evidence }),
  coupon: fc.constantFrom('checkout' as const, 'start' as const, null, null),
  hasRenewal: fc.boolean(),
  refundCents: fc.constantFrom(0, 0, 1_250),
  hasNewKey: fc.boolean(),
  generation: fc.constantFrom(...GENERATIONS),
});

/** A key belongs to one person, so it is not put next to the evidence of two. */
const newKeyOf = ({ says, hasNewKey }: Purchase, key: string): Record<string, string> => {
  const said = Object.values(says);
  const isMixed =
    said.includes('key of Jane’s') || (said.includes('click of Jane’s') && said.includes('click of Bob’s'));
  return hasNewKey && !isMixed ? { svc_customer_key: `new-${key}` } : {};
};

export const START_CENTS = 5_000;
export const RENEWAL_CENTS = 2_000;
const MONTH_SECONDS = 30 * 86_400;

/** Who is credited for each payment: Jane, Bob or nobody. Written down from the list in docs/payments.md. */
export function creditedFor(
  purchase: Purchase,
  processor: Processor,
): Partial<Record<'start' | 'renewal', 'Jane' | 'Bob'>> {
  const told = TELLERS.filter((teller) => teller !== 'renewal' || purchase.hasRenewal).map((teller) => ({
    teller,
    evidence: readable(processor, teller, purchase.says[teller]),
  }));
  // All but the renewal happen in the same second, in which Jane's click, the older one, comes first.
  const clicksAmong = (tellers: Teller[]) => {
    const said = told.filter(({ teller }) => tellers.includes(teller)).map((one) => one.evidence);
    return said.includes('click of Jane’s') ? 'Jane' : said.includes('click of Bob’s') ? 'Bob' : undefined;
  };
  const click = clicksAmong(['checkout', 'customer', 'start']) ?? clicksAmong(['renewal']);
  const says = (said: Evidence) => told.some((one) => one.evidence === said);
  const coupon = readableCoupon(processor, purchase.coupon) ? ('Bob' as const) : undefined;
  // The holder of the key, then the first click, then the address, then the coupon.
  const who = says('key of Jane’s') ? 'Jane' : (click ?? (says('email of Jane’s') ? 'Jane' : coupon));
  if (who === undefined) return {};
  return { start: who, ...(purchase.hasRenewal && { renewal: who }) };
}

/** Events of the shop carry anything. Subscriptions carry no e-mail address, nor do Stripe's customers and Paddle's transactions. */
function readable(processor: Processor, teller: Teller, said: Evidence): Evidence {
  if (said !== 'email of Jane’s' || processor === 'custom') return said;
  const carriers: Teller[] = processor === 'stripe' ? ['checkout', 'start', 'renewal'] : ['customer'];
  return carriers.includes(teller) ? said : 'nothing';
}

/** Paddle's subscriptions name no coupon, and neither do events of the shop that are no payments. */
function readableCoupon(processor: Processor, coupon: Purchase['coupon']): boolean {
  return coupon === 'start' || (coupon === 'checkout' && processor === 'stripe');
}

export type Told = {
  /** The ids of the sales. */
  start: string;
  renewal: string;
  events: ((service: TestService, programId: number) => Promise<Answer>)[];
};

/** The events of a purchase at Stripe. It began at the time given. */
export function stripePurchase(purchase: Purchase, { email, key, janesClick, bobsClick }: People, begin: Date): Told {
  const stripe = new StripeEvents(purchase.generation, begin);
  const later = new StripeEvents(purchase.generation, new Date(begin.getTime() + MONTH_SECONDS * 1000));
  const [customer, subscription, paymentIntent] = [newId('cus'), newId('sub'), newId('pi')];
  const metadataOf = (teller: Teller) => metadata(purchase.says[teller], { key, janesClick, bobsClick });
  const emailOf = (teller: Teller) => (purchase.says[teller] === 'email of Jane’s' ? email : null);
  const couponOf = (teller: Teller) => (purchase.coupon === teller ? { svc_coupon_code: 'BOB20' } : {});
  const invoice = stripe.invoice({
    subscription,
    paymentIntent,
    customer,
    cents: START_CENTS,
    email: emailOf('start'),
    metadata: { ...newKeyOf(purchase, key), ...metadataOf('start'), ...couponOf('start') },
  });
  const renewal = later.invoice({
    subscription,
    customer,
    cents: RENEWAL_CENTS,
    reason: 'subscription_cycle',
    email: emailOf('renewal'),
    metadata: metadataOf('renewal'),
  });
  const session = stripe.session({
    subscription,
    customer,
    email: emailOf('checkout'),
    metadata: { ...metadataOf('checkout'), ...couponOf('checkout') },
    extra: { invoice: invoice.id },
  });
  const events: StripeEvent[] = [
    stripe.event('checkout.session.completed', session),
    stripe.event('customer.created', stripe.customer({ id: customer, metadata: metadataOf('customer') })),
    stripe.event('invoice.paid', invoice),
    stripe.event('invoice_payment.paid', stripe.invoicePayment(invoice.id, paymentIntent, { cents: START_CENTS })),
    ...(purchase.hasRenewal ? [later.event('invoice.paid', renewal)] : []),
    ...(purchase.refundCents > 0
      ? [
          stripe.event(
            'refund.created',
            stripe.refund({ charge: newId('ch'), paymentIntent, cents: purchase.refundCents }),
          ),
        ]
      : []),
  ];
  const ready = events.map((event) => (service: TestService, id: number) => send(service, id, event));
  return { start: invoice.id, renewal: renewal.id, events: ready };
}

/** The events of a purchase at Paddle, where the subscription stands for the checkout. */
export function paddlePurchase(purchase: Purchase, { email, key, janesClick, bobsClick }: People, begin: Date): Told {
  const paddle = new PaddleEvents(begin);
  const later = new PaddleEvents(new Date(begin.getTime() + MONTH_SECONDS * 1000));
  const [customer, subscription, discount] = [newId('ctm'), newId('sub'), newId('dsc')];
  const customOf = (teller: Teller) => metadata(purchase.says[teller], { key, janesClick, bobsClick });
  const start = paddle.transaction({
    customer,
    subscription,
    cents: START_CENTS,
    customData: { ...newKeyOf(purchase, key), ...customOf('start') },
    ...(purchase.coupon === 'start' && { extra: { discount_id: discount } }),
  });
  const renewal = later.transaction({
    customer,
    subscription,
    cents: RENEWAL_CENTS,
    origin: 'subscription_recurring',
    customData: customOf('renewal'),
  });
  const known = purchase.says.customer === 'email of Jane’s' ? { email } : { customData: customOf('customer') };
  const refund = { transaction: start.id, cents: purchase.refundCents };
  const events: PaddleEvent[] = [
    paddle.event('subscription.created', paddle.subscription(subscription, customer, customOf('checkout'))),
    paddle.event('customer.created', paddle.customer(customer, known)),
    paddle.event('transaction.completed', start),
    ...(purchase.coupon === 'start'
      ? [paddle.event('discount.created', { id: discount, code: 'BOB20', status: 'active' })]
      : []),
    ...(purchase.hasRenewal ? [later.event('transaction.completed', renewal)] : []),
    ...(purchase.refundCents > 0 ? [paddle.event('adjustment.updated', paddle.adjustment(refund))] : []),
  ];
  const ready = events.map((event) => (service: TestService, id: number) => sendPaddle(service, id, event));
  return { start: start.id, renewal: renewal.id, events: ready };
}

/** The events that a shop sends itself about a purchase. */
export function customPurchase(purchase: Purchase, people: People, begin: Date): Told {
  const later = new Date(begin.getTime() + MONTH_SECONDS * 1000);
  const [customer_id, subscription, start, renewal] = [newId('c'), newId('sub'), newId('order'), newId('order')];
  const payerOf = (teller: Teller) => {
    const ours = {
      ...(teller === 'start' && newKeyOf(purchase, people.key)),
      ...metadata(purchase.says[teller], people),
    };
    return {
      customer_id,
      customer_key: ours.svc_customer_key,
      click_id: ours.svc_click_id,
      email: purchase.says[teller] === 'email of Jane’s' ? people.email : undefined,
    };
  };
  const paid = (teller: 'start' | 'renewal', transaction_id: string, amount_cents: number, at: Date) => ({
    type: 'payment',
    at,
    transaction_id,
    amount_cents,
    payer: payerOf(teller),
    subscription: { id: subscription, stage: teller },
    coupon_code: purchase.coupon === teller ? 'BOB20' : undefined,
  });
  const refund = { refund_id: newId('re'), transaction_id: start, amount_cents: purchase.refundCents };
  const events: object[] = [
    { type: 'identity', at: begin, payer: payerOf('checkout') },
    { type: 'identity', at: begin, payer: payerOf('customer') },
    paid('start', start, START_CENTS, begin),
    ...(purchase.hasRenewal ? [paid('renewal', renewal, RENEWAL_CENTS, later)] : []),
    ...(purchase.refundCents > 0 ? [{ type: 'refund', at: begin, status: 'succeeded', ...refund }] : []),
  ];
  const ready = events.map((event) => (service: TestService, id: number) => {
    const body = JSON.stringify(event);
    const headers = customSigned(body, service.time);
    return service.call('POST', `/api/v1/webhooks/custom/${id}`, { body, headers });
  });
  return { start, renewal, events: ready };
}

function metadata(said: Evidence, { key, janesClick, bobsClick }: Omit<People, 'email'>): Record<string, string> {
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
