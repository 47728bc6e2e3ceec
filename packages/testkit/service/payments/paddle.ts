import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { OPERATOR } from '../../../server/src/audit/audit-store.ts';
import { connectProcessor } from '../../../server/src/payments/connections/connect-processor.ts';
import type { Answer, TestProgram, TestService } from '../service.ts';
import { newId, outcomeOf, settle } from './stripe.ts';

// biome-ignore lint/suspicious/noExplicitAny: objects of Paddle, of which tests set a few fields
type Sample = Record<string, any>;

export type PaddleEvent = { event_id: string; event_type: string; occurred_at: string; data: Sample };

/** Notifications as Paddle publishes them, by the type of the event. */
export const PADDLE_SAMPLES: Record<string, PaddleEvent> = JSON.parse(
  readFileSync(new URL('../fixtures/paddle/notifications.json', import.meta.url), 'utf8'),
);

type Paid = {
  id?: string;
  cents?: number;
  /** How much of it is tax. */
  tax?: number;
  currency?: string;
  customData?: Sample | null;
  customer?: string | null;
  subscription?: string | null;
  origin?: string;
  status?: 'completed' | 'paid';
  extra?: Sample;
};

/** Builds events of Paddle Billing from published ones: only ids, times, amounts and what a test is about differ. */
export class PaddleEvents {
  at: Date;

  constructor(at: Date) {
    this.at = at;
  }

  event(type: string, data: Sample): PaddleEvent {
    const ids = { event_id: newId('evt'), notification_id: newId('ntf') };
    return { ...PADDLE_SAMPLES[type], ...ids, event_type: type, occurred_at: this.#time(), data };
  }

  /** A transaction, completed unless `status` says otherwise. */
  transaction({ cents = 5_000, tax = 0, currency = 'USD', status = 'completed', ...paid }: Paid = {}): Sample {
    const sample = this.#sample(`transaction.${status}`);
    const total = String(cents);
    const taxes = { tax: String(tax), grand_total_tax: String(tax), subtotal: String(cents - tax) };
    const totals = { ...sample.details.totals, ...taxes, total, grand_total: total, currency_code: currency };
    return {
      ...sample,
      id: paid.id ?? newId('txn'),
      origin: paid.origin ?? 'web',
      customer_id: paid.customer === undefined ? newId('ctm') : paid.customer,
      subscription_id: paid.subscription ?? null,
      currency_code: currency,
      custom_data: paid.customData ?? null,
      details: { ...sample.details, totals },
      payments: cents === 0 ? [] : sample.payments.map((payment: Sample) => this.#payment(payment, total)),
      created_at: this.#time(),
      billed_at: this.#time(),
      ...paid.extra,
    };
  }

  /** An adjustment: as it is created while it waits for approval, else as it is updated. */
  adjustment(of: {
    id?: string;
    transaction: string;
    cents: number;
    /** How much of it is tax. Left out: Paddle does not say. */
    tax?: number;
    action?: string;
    status?: string;
    currency?: string;
  }): Sample {
    const { status = 'approved', currency = 'USD' } = of;
    const sample = this.#sample(status === 'pending_approval' ? 'adjustment.created' : 'adjustment.updated');
    const total = String(of.cents);
    return {
      ...sample,
      id: of.id ?? newId('adj'),
      action: of.action ?? 'refund',
      status,
      transaction_id: of.transaction,
      currency_code: currency,
      totals: {
        ...sample.totals,
        subtotal: String(of.cents - (of.tax ?? 0)),
        tax: of.tax === undefined ? undefined : String(of.tax),
        total,
        earnings: total,
        currency_code: currency,
      },
      created_at: this.#time(),
      updated_at: this.#time(),
    };
  }

  customer(id: string, about: { email?: string; customData?: Sample }): Sample {
    const { email = 'somebody@people.test', customData = null } = about;
    return { ...this.#sample('customer.updated'), id, email, custom_data: customData, created_at: this.#time() };
  }

  /** A subscription as the event `subscription.<name>` contains it. */
  subscription(id: string, customer: string, customData: Sample | null, name = 'created'): Sample {
    const sample = this.#sample(`subscription.${name}`);
    return { ...sample, id, customer_id: customer, custom_data: customData, created_at: this.#time() };
  }

  /** An attempt to pay, which succeeded if it was captured. */
  #payment(sample: Sample, amount: string): Sample {
    const captured_at = sample.captured_at && this.#time();
    return { ...sample, amount, created_at: this.#time(), captured_at };
  }

  #sample(type: string): Sample {
    return (PADDLE_SAMPLES[type] as PaddleEvent).data;
  }

  #time(): string {
    return this.at.toISOString();
  }
}

export const PADDLE_SECRET = 'pdl_ntfset_01hlive_a_signing_secret_for_tests';
export const PADDLE_TEST_SECRET = 'pdl_ntfset_01hsdbx_a_signing_secret_for_tests';

/** Signs like Paddle, at the time of the service. */
export function paddleSigned(payload: string, at: Date, secret = PADDLE_SECRET): Record<string, string> {
  const ts = Math.floor(at.getTime() / 1000);
  const h1 = createHmac('sha256', secret).update(`${ts}:${payload}`).digest('hex');
  return { 'paddle-signature': `ts=${ts};h1=${h1}`, 'content-type': 'application/json' };
}

/** Connects the program to Paddle with the secret that `sendPaddle` signs with. */
export async function connectPaddle(
  service: TestService,
  { program }: TestProgram,
  { isSandbox = false, isTest = false }: { isSandbox?: boolean; isTest?: boolean } = {},
): Promise<void> {
  const secret = { value: PADDLE_SECRET, isTest };
  const settings = { provider: 'paddle', accountId: null, secret, isSandbox } as const;
  await connectProcessor(service.ctx, program, settings, { hasPlatform: false, actor: OPERATOR });
}

/** Sends an event like Paddle does. It may not be processed yet when this returns. */
export function sendPaddle(
  service: TestService,
  programId: number,
  event: object,
  secret = PADDLE_SECRET,
): Promise<Answer> {
  const body = JSON.stringify(event);
  return service.call('POST', `/api/v1/webhooks/paddle/${programId}`, {
    body,
    headers: paddleSigned(body, service.time, secret),
  });
}

/** Sends events one at a time, each processed before the next, and returns the outcome of the last one. */
export async function deliverPaddle(
  service: TestService,
  programId: number,
  ...events: PaddleEvent[]
): Promise<string> {
  for (const event of events) {
    await sendPaddle(service, programId, event);
    await settle(service);
  }
  return outcomeOf(service, programId, events.at(-1)?.event_id ?? '');
}
