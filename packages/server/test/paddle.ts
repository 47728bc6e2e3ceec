import { createHmac } from 'node:crypto';
import { connectProcessor } from '../src/payments/connect-processor.ts';
import type { Answer, TestProgram, TestService } from './service.ts';
import { newId, outcomeOf, settle } from './stripe.ts';

// biome-ignore lint/suspicious/noExplicitAny: objects of Paddle, of which tests set a few fields
type Sample = Record<string, any>;

export type PaddleEvent = { event_id: string; event_type: string; occurred_at: string; data: Sample };

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
  status?: string;
  extra?: Sample;
};

/** Builds events of Paddle Billing in the shape that its documentation describes. */
export class PaddleEvents {
  at: Date;

  constructor(at: Date) {
    this.at = at;
  }

  event(type: string, data: Sample): PaddleEvent {
    const ids = { event_id: newId('evt'), notification_id: newId('ntf') };
    return { ...ids, event_type: type, occurred_at: this.#time(), data };
  }

  /** A transaction, completed unless `status` says otherwise. */
  transaction({ cents = 5_000, tax = 0, currency = 'USD', ...paid }: Paid = {}): Sample {
    const total = String(cents);
    const taxes = { tax: String(tax), grand_total_tax: String(tax), subtotal: String(cents - tax) };
    const totals = { ...taxes, discount: '0', total, credit: '0', balance: '0', grand_total: total };
    const captured = { amount: total, status: 'captured', captured_at: this.#time(), created_at: this.#time() };
    const declined = { ...captured, status: 'error', error_code: 'declined', captured_at: null };
    return {
      id: paid.id ?? newId('txn'),
      status: paid.status ?? 'completed',
      origin: paid.origin ?? 'web',
      customer_id: paid.customer === undefined ? newId('ctm') : paid.customer,
      subscription_id: paid.subscription ?? null,
      currency_code: currency,
      custom_data: paid.customData ?? null,
      details: { totals: { ...totals, currency_code: currency } },
      payments: cents === 0 ? [] : [declined, captured],
      created_at: this.#time(),
      billed_at: this.#time(),
      ...paid.extra,
    };
  }

  adjustment(of: {
    id?: string;
    transaction: string;
    cents: number;
    action?: string;
    status?: string;
    currency?: string;
  }): Sample {
    const total = String(of.cents);
    return {
      id: of.id ?? newId('adj'),
      action: of.action ?? 'refund',
      type: 'partial',
      status: of.status ?? 'approved',
      transaction_id: of.transaction,
      currency_code: of.currency ?? 'USD',
      totals: { subtotal: total, tax: '0', total, fee: '0', earnings: total },
      created_at: this.#time(),
      updated_at: this.#time(),
    };
  }

  customer(id: string, about: { email?: string; customData?: Sample }): Sample {
    const { email = 'somebody@people.test', customData = null } = about;
    return { id, email, status: 'active', custom_data: customData, created_at: this.#time() };
  }

  subscription(id: string, customer: string, customData: Sample | null, status = 'active'): Sample {
    return { id, status, customer_id: customer, custom_data: customData, created_at: this.#time() };
  }

  #time(): string {
    return this.at.toISOString();
  }
}

export const PADDLE_SECRET = 'pdl_ntfset_01hlive_a_signing_secret_for_tests';
export const PADDLE_TEST_SECRET = 'pdl_ntfset_01hsdbx_a_signing_secret_for_tests';

/** Paddle's library compares with the clock of the machine; the time is ahead, so that a slow machine is not too late. */
export function paddleSigned(payload: string, secret = PADDLE_SECRET, aheadSeconds = 60): Record<string, string> {
  const ts = Math.floor(Date.now() / 1000) + aheadSeconds;
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
  await connectProcessor(service.ctx, program, settings, { hasPlatform: false });
}

/** Sends an event like Paddle does. It may not be processed yet when this returns. */
export function sendPaddle(
  service: TestService,
  programId: number,
  event: object,
  secret = PADDLE_SECRET,
): Promise<Answer> {
  const body = JSON.stringify(event);
  return service.call('POST', `/api/v1/webhooks/paddle/${programId}`, { body, headers: paddleSigned(body, secret) });
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
