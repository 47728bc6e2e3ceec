import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { standardSigned } from './standard-webhooks.ts';

// biome-ignore lint/suspicious/noExplicitAny: objects of Polar, of which tests set a few fields
type Sample = Record<string, any>;

export type PolarEvent = { type: string; timestamp: string; data: Sample };

/** Objects with all fields that Polar publishes, by name. */
export const POLAR_SAMPLES: Record<'order' | 'subscription' | 'discount' | 'refund', Sample> = JSON.parse(
  readFileSync(new URL('../fixtures/polar.json', import.meta.url), 'utf8'),
);

type Paid = {
  id?: string;
  cents?: number;
  /** How much of it is tax. */
  tax?: number;
  currency?: string;
  metadata?: Sample;
  customer?: string;
  subscription?: string;
  reason?: string;
  extra?: Sample;
};

/** Builds events of Polar: only ids, times, amounts and what a test is about differ from the samples. */
export class PolarEvents {
  at: Date;

  constructor(at: Date) {
    this.at = at;
  }

  event(type: string, data: Sample): PolarEvent {
    return { type, timestamp: this.at.toISOString(), data };
  }

  order({ cents = 5_000, tax = 0, currency = 'usd', metadata = {}, subscription, ...paid }: Paid = {}): Sample {
    const { order, subscription: sample } = POLAR_SAMPLES;
    const customer = paid.customer ?? randomUUID();
    const net = cents - tax;
    return {
      ...order,
      id: paid.id ?? randomUUID(),
      created_at: this.at.toISOString(),
      subtotal_amount: net,
      net_amount: net,
      amount: net,
      tax_amount: tax,
      total_amount: cents,
      due_amount: cents,
      currency: currency.toLowerCase(),
      billing_reason: paid.reason ?? (subscription ? 'subscription_create' : 'purchase'),
      metadata,
      customer_id: customer,
      customer: { ...order.customer, id: customer },
      subscription_id: subscription ?? null,
      subscription: subscription ? { ...sample, id: subscription, customer_id: customer, metadata } : null,
      ...paid.extra,
    };
  }

  refund(of: { id?: string; order: string; cents: number; tax?: number; status?: string; currency?: string }): Sample {
    const { tax = 0, status = 'succeeded', currency = 'usd' } = of;
    return {
      ...POLAR_SAMPLES.refund,
      id: of.id ?? randomUUID(),
      created_at: this.at.toISOString(),
      status,
      amount: of.cents - tax,
      tax_amount: tax,
      currency: currency.toLowerCase(),
      order_id: of.order,
    };
  }

  customer(id: string, metadata: Sample): Sample {
    return { ...POLAR_SAMPLES.order.customer, id, metadata };
  }
}

export const POLAR_SECRET = 'polar_whs_a_signing_secret_for_tests';
export const POLAR_TEST_SECRET = 'polar_whs_a_signing_secret_of_the_sandbox';

/** Polar signs with the characters of the whole secret. */
export function polarSigned(payload: string, at: Date, id?: string, secret = POLAR_SECRET): Record<string, string> {
  return standardSigned(payload, Buffer.from(secret, 'utf8'), at, id);
}
