import { createHash, createHmac, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';

// biome-ignore lint/suspicious/noExplicitAny: objects of Lemon Squeezy, of which tests set a few fields
type Sample = Record<string, any>;

type Kind = 'orders' | 'subscriptions' | 'subscription-invoices';
export type LemonEvent = {
  meta: { event_name: string; test_mode: boolean; custom_data?: Sample };
  data: { type: Kind; id: string; attributes: Sample };
};

/** The attributes of objects with all fields that Lemon Squeezy publishes, by the type of the object. */
export const LEMON_SAMPLES: Record<Kind, Sample> = JSON.parse(
  readFileSync(new URL('../fixtures/lemonsqueezy.json', import.meta.url), 'utf8'),
);

export const newNumber = () => randomInt(1, 2 ** 40);

type Paid = { id?: number; cents?: number; tax?: number; currency?: string; customer?: number; extra?: Sample };

/** Builds events of Lemon Squeezy: only ids, times, amounts and what a test is about differ from the samples. */
export class LemonEvents {
  at: Date;

  constructor(at: Date) {
    this.at = at;
  }

  event(name: string, data: LemonEvent['data'], customData?: Sample, isTest = false): LemonEvent {
    const meta = { event_name: name, test_mode: isTest, ...(customData && { custom_data: customData }) };
    return { meta, data: { ...data, attributes: { ...data.attributes, test_mode: isTest } } };
  }

  order(paid: Paid = {}): LemonEvent['data'] {
    return this.#object('orders', paid);
  }

  invoice(subscription: number, reason: 'initial' | 'renewal' | 'updated', paid: Paid = {}): LemonEvent['data'] {
    const extra = { subscription_id: subscription, billing_reason: reason, ...paid.extra };
    return this.#object('subscription-invoices', { ...paid, extra });
  }

  subscription(id: number, of: { order?: number; customer?: number } = {}): LemonEvent['data'] {
    const attributes = {
      ...LEMON_SAMPLES.subscriptions,
      order_id: of.order ?? newNumber(),
      customer_id: of.customer ?? newNumber(),
      ...this.#times(),
    };
    return { type: 'subscriptions', id: String(id), attributes };
  }

  #object(type: Kind, { cents = 5_000, tax = 0, currency = 'USD', ...paid }: Paid): LemonEvent['data'] {
    const attributes = {
      ...LEMON_SAMPLES[type],
      customer_id: paid.customer ?? newNumber(),
      currency,
      subtotal: cents - tax,
      tax,
      total: cents,
      ...this.#times(),
      ...paid.extra,
    };
    return { type, id: String(paid.id ?? newNumber()), attributes };
  }

  #times() {
    const time = this.at.toISOString().replace('Z', '000Z');
    return { created_at: time, updated_at: time };
  }
}

/** The merchant chooses it. */
export const LEMON_SECRET = 'lemon tree, very pretty'.replaceAll(' ', '-');

export function lemonSigned(payload: string, secret = LEMON_SECRET): Record<string, string> {
  const signature = createHmac('sha256', secret).update(payload).digest('hex');
  return { 'x-signature': signature, 'content-type': 'application/json' };
}

/** By what an event is known here: Lemon Squeezy gives it no id. */
export function lemonEventId(payload: string): string {
  return `sha256_${createHash('sha256').update(payload).digest('hex')}`;
}
