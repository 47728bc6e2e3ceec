import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Stripe from 'stripe';
import { OPERATOR } from '../../../server/src/audit/audit-store.ts';
import { connectProcessor } from '../../../server/src/payments/connections/connect-processor.ts';
import { processDueEvents } from '../../../server/src/payments/events/process-due-events.ts';
import type { Answer, TestProgram, TestService } from '../service.ts';

export const GENERATIONS = ['2026', '2024'] as const;
export type Generation = (typeof GENERATIONS)[number];

// biome-ignore lint/suspicious/noExplicitAny: objects of two API versions, of which tests set a few fields
type Sample = Record<string, any>;

/** Objects as Stripe publishes them, by the name of the object. */
export const samples = Object.fromEntries(
  GENERATIONS.map((generation) => [
    generation,
    JSON.parse(readFileSync(new URL(`../fixtures/stripe-${generation}.json`, import.meta.url), 'utf8')),
  ]),
) as Record<Generation, Record<string, Sample>>;

export type StripeEvent = { id: string; type: string; created: number; livemode: boolean; data: { object: Sample } };

export const newId = (prefix: string) => `${prefix}_${randomBytes(9).toString('hex')}`;

type Paid = {
  metadata?: Sample;
  cents?: number;
  /** How much of it is tax, and shipping without its tax. */
  tax?: number;
  shipping?: number;
  currency?: string;
  email?: string | null;
  customer?: string | null;
};

/** Shipping as both versions write it. Its own tax is among the tax of the whole. */
function shippingCost({ tax = 0, shipping }: Paid): Sample | null {
  if (shipping === undefined) return null;
  return { amount_subtotal: shipping, amount_tax: tax, amount_total: shipping + tax, shipping_rate: null };
}

/** Builds the events of a Stripe account that is pinned to one version of the API. */
export class StripeEvents {
  readonly generation: Generation;
  /** In seconds, like Stripe's timestamps. */
  at: number;

  constructor(generation: Generation, at: Date) {
    this.generation = generation;
    this.at = Math.floor(at.getTime() / 1000);
  }

  event(type: string, object: Sample, livemode = true): StripeEvent {
    const { event } = samples[this.generation] as { event: Sample };
    return { ...event, id: newId('evt'), type, created: this.at, livemode, data: { object: { ...object, livemode } } };
  }

  /** A completed checkout: a one-off payment or, with `subscription`, the start of a subscription. */
  session(paid: Paid & { paymentIntent?: string | null; subscription?: string; extra?: Sample } = {}): Sample {
    return {
      ...this.#sample('checkout.session'),
      id: newId('cs'),
      created: this.at,
      mode: paid.subscription ? 'subscription' : 'payment',
      payment_status: 'paid',
      status: 'complete',
      payment_intent: paid.subscription ? null : paid.paymentIntent === undefined ? newId('pi') : paid.paymentIntent,
      subscription: paid.subscription ?? null,
      amount_total: paid.cents ?? 5_000,
      total_details: { amount_discount: 0, amount_shipping: paid.shipping ?? 0, amount_tax: paid.tax ?? 0 },
      shipping_cost: shippingCost(paid),
      currency: paid.currency ?? 'usd',
      customer: paid.customer ?? null,
      customer_details: { ...this.#sample('checkout.session').customer_details, email: paid.email ?? null },
      metadata: paid.metadata ?? {},
      ...paid.extra,
    };
  }

  /** A paid invoice of a subscription, with the metadata where this version puts it. */
  invoice(
    paid: Paid & { subscription?: string; paymentIntent?: string; reason?: string; extra?: Sample } = {},
  ): Sample {
    const id = newId('in');
    const subscription = paid.subscription ?? newId('sub');
    const paymentIntent = paid.paymentIntent ?? newId('pi');
    const metadata = paid.metadata ?? {};
    const invoice = {
      ...this.#sample('invoice'),
      id,
      created: this.at,
      status: 'paid',
      status_transitions: { finalized_at: this.at, marked_uncollectible_at: null, paid_at: this.at, voided_at: null },
      amount_paid: paid.cents ?? 5_000,
      total: paid.cents ?? 5_000,
      total_excluding_tax: (paid.cents ?? 5_000) - (paid.tax ?? 0),
      shipping_cost: shippingCost(paid),
      currency: paid.currency ?? 'usd',
      customer: paid.customer === undefined ? newId('cus') : paid.customer,
      customer_email: paid.email ?? null,
      billing_reason: paid.reason ?? 'subscription_create',
    };
    return this.generation === '2024'
      ? {
          ...invoice,
          subscription,
          subscription_details: { metadata },
          payment_intent: paymentIntent,
          charge: null,
          tax: paid.tax ?? null,
          total_tax_amounts: paid.tax ? [{ amount: paid.tax, inclusive: false }] : [],
          ...paid.extra,
        }
      : {
          ...invoice,
          total_taxes: paid.tax ? [{ amount: paid.tax, tax_behavior: 'exclusive' }] : [],
          parent: {
            type: 'subscription_details',
            quote_details: null,
            subscription_details: { metadata, subscription },
          },
          ...paid.extra,
        };
  }

  /** The object that identifies the payment of an invoice. Only the newer version has it. */
  invoicePayment(invoice: string, paymentIntent: string, paid: { cents?: number } = {}): Sample {
    return {
      ...samples['2026'].invoice_payment,
      id: newId('inpay'),
      created: this.at,
      invoice,
      status: 'paid',
      status_transitions: { canceled_at: null, paid_at: this.at },
      payment: { type: 'payment_intent', payment_intent: paymentIntent },
      ...(paid.cents !== undefined && { amount_paid: paid.cents, amount_requested: paid.cents, currency: 'usd' }),
    };
  }

  /** A payment intent that succeeded. */
  paymentIntent(paid: Pick<Paid, 'metadata' | 'cents' | 'currency' | 'customer'> & { id?: string } = {}): Sample {
    const cents = paid.cents ?? 5_000;
    return {
      ...this.#sample('payment_intent'),
      id: paid.id ?? newId('pi'),
      created: this.at,
      status: 'succeeded',
      amount: cents,
      amount_received: cents,
      currency: paid.currency ?? 'usd',
      customer: paid.customer ?? null,
      metadata: paid.metadata ?? {},
    };
  }

  customer(about: { id?: string; metadata?: Sample; email?: string } = {}): Sample {
    const { id = newId('cus'), metadata = {}, email = null } = about;
    return { ...this.#sample('customer'), id, created: this.at, metadata, email };
  }

  subscription(about: { id?: string; customer?: string; metadata?: Sample } = {}): Sample {
    const { id = newId('sub'), customer = newId('cus'), metadata = {} } = about;
    return { ...this.#sample('subscription'), id, created: this.at, customer, metadata };
  }

  charge(of: { id?: string; paymentIntent: string; cents: number; refunded: number; currency?: string }): Sample {
    return {
      ...this.#sample('charge'),
      id: of.id ?? newId('ch'),
      payment_intent: of.paymentIntent,
      amount: of.cents,
      amount_captured: of.cents,
      amount_refunded: of.refunded,
      currency: of.currency ?? 'usd',
      refunded: of.refunded === of.cents,
    };
  }

  refund(of: { id?: string; charge: string; paymentIntent?: string | null; cents: number; status?: string }): Sample {
    return {
      ...this.#sample('refund'),
      id: of.id ?? newId('re'),
      created: this.at,
      charge: of.charge,
      payment_intent: of.paymentIntent ?? null,
      amount: of.cents,
      status: of.status ?? 'succeeded',
    };
  }

  dispute(of: { id?: string; charge: string; paymentIntent?: string | null; cents: number; status?: string }): Sample {
    return {
      ...this.#sample('dispute'),
      id: of.id ?? newId('dp'),
      created: this.at,
      charge: of.charge,
      payment_intent: of.paymentIntent ?? null,
      amount: of.cents,
      status: of.status ?? 'needs_response',
    };
  }

  #sample(name: string): Sample {
    return samples[this.generation][name] as Sample;
  }
}

/** The events of a shop, at the time of the service. */
export const stripeEvents =
  (service: TestService) =>
  (generation: Generation = '2026') =>
    new StripeEvents(generation, service.time);

/** What a payment carries that belongs to the customer of `withBuyer`. */
export const OWN = { metadata: { svc_customer_key: 'user-1' } };

export const SECRET = 'whsec_a_signing_secret_for_tests';

export function signed(payload: string, at: Date, secret = SECRET): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000);
  return {
    'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }),
    'content-type': 'application/json; charset=utf-8',
  };
}

/** Connects the program to Stripe with the secret that `deliver` signs with. */
export async function connectStripe(
  service: TestService,
  { program }: TestProgram,
  { isSandbox = false, accountId = null }: { isSandbox?: boolean; accountId?: string | null } = {},
): Promise<void> {
  const settings = { provider: 'stripe', accountId, secret: { value: SECRET }, isSandbox } as const;
  await connectProcessor(service.ctx, program, settings, { hasPlatform: false, actor: OPERATOR });
}

export type Buyer = TestProgram & { id: number; clickId: string; customerId: number };

/** A connected program with a customer who clicked its link and signed up as `user-1`. */
export async function withBuyer(
  service: TestService,
  settings: Parameters<TestService['program']>[0] = {},
  connection: Parameters<typeof connectStripe>[2] = {},
): Promise<Buyer> {
  const made = await service.program(settings);
  await connectStripe(service, made, connection);
  const clickId = await service.customer(made, 'user-1');
  return { ...made, id: made.program.id, clickId, customerId: Number(clickId.split('_')[1]) };
}

/** Sends an event like Stripe does. The event may not be processed yet when this returns. */
export function send(service: TestService, programId: number, event: StripeEvent): Promise<Answer> {
  const body = JSON.stringify(event, null, 2);
  return service.call('POST', `/api/v1/webhooks/stripe/${programId}`, { body, headers: signed(body, service.time) });
}

/** Sends events one at a time, each processed before the next, and returns the outcome of the last one. */
export async function deliver(service: TestService, programId: number, ...events: StripeEvent[]): Promise<string> {
  for (const event of events) {
    await send(service, programId, event);
    await settle(service);
  }
  return outcomeOf(service, programId, events.at(-1)?.id as string);
}

/** Waits until all due events have been processed. */
export async function settle(service: TestService): Promise<void> {
  await service.ctx.eventWorker.idle();
  await processDueEvents(service.ctx);
  // The event worker may have started in the meantime and claimed some of them.
  await service.ctx.eventWorker.idle();
}

export async function outcomeOf(service: TestService, programId: number, eventId: string): Promise<string> {
  const [row] = await service.sql<{ outcome: string }>(
    'select outcome from processor_events where program_id = $1 and event_id = $2',
    [programId, eventId],
  );
  return row?.outcome ?? 'not stored';
}

/** The sales and commissions of the program, without the ids that differ between runs. */
export function ledger(service: TestService, programId: number) {
  return service.sql(
    `select s.processor_event_id as id, s.amount_cents as cents, s.currency, s.refunded_cents as refunded,
       s.is_recurring as recurring, c.commission_cents as commission, c.deducted_cents as deducted, c.reversal, c.stage
     from sales s left join commissions c on c.sale_id = s.id
     where s.program_id = $1 and not s.is_test order by s.processor_event_id`,
    [programId],
  );
}
