import type { Reason } from '../../server/src/decisions/reasons.ts';
import type { Program } from '../../server/src/programs/program.ts';
import type { StoredDecision } from './decisions.ts';
import { connectStripe, StripeEvents } from './payments/stripe.ts';
import type { CallOptions, TestProgram, TestService } from './service.ts';
import { newId, sold } from './sold.ts';

type Facts = Record<string, unknown>;
type ExpectedDecision = { [Column in keyof StoredDecision]?: unknown };

/** A prepared program, one attempt at something in it, and the decision that the attempt is expected to leave. */
export type Scenario = {
  on: TestProgram;
  attempt: (options: CallOptions) => Promise<unknown>;
  expected: ExpectedDecision;
  /** The reasons of the decisions about something else that the attempt brings about. */
  also?: Reason[];
};

/** The ways to set up an attempt at a lead, a sale or a refund. */
export function scenariosOn(service: TestService) {
  async function lead(
    outcome: string,
    prepare: (on: TestProgram) => Promise<{ body: object; expected?: ExpectedDecision; options?: CallOptions }>,
    settings: Partial<Program> = {},
  ): Promise<Scenario> {
    const on = await service.program(settings);
    const { body, expected = {}, options = { key: on.apiKey } } = await prepare(on);
    const source = options.key === undefined ? 'browser' : 'api';
    return {
      on,
      attempt: ({ headers }) => service.lead(body, { ...options, headers: { ...headers, ...options.headers } }),
      expected: { kind: 'lead', outcome, source, is_test: false, ...expected },
    };
  }

  /** A sale of 10,000 to a customer who clicked and signed up. */
  async function sale(
    outcome: string,
    prepare: (on: TestProgram, clickId: string) => Promise<{ body?: object; expected?: ExpectedDecision }>,
    settings: Partial<Program> = {},
  ): Promise<Scenario> {
    const on = await service.program(settings);
    const customerKey = newId('user');
    const clickId = await service.customer(on, customerKey);
    const { body = {}, expected = {} } = await prepare(on, clickId);
    const sent = { transaction_id: newId('order'), amount_cents: 10_000, customer_key: customerKey, ...body };
    const { transaction_id, customer_key } = sent;
    return {
      on,
      attempt: (options) => service.sale(sent, { key: on.apiKey, ...options }),
      expected: { kind: 'sale', outcome, source: 'api', transaction_id, customer_key, is_test: false, ...expected },
    };
  }

  /** A refund of such a sale. */
  async function refund(
    outcome: string,
    body: object,
    facts: Facts,
    prepare: (on: TestProgram, transactionId: string) => Promise<unknown> = async () => {},
  ): Promise<Scenario> {
    const on = await service.program();
    const { transactionId, saleId } = await sold(service, on);
    await prepare(on, transactionId);
    return {
      on,
      attempt: (options) => service.refund({ transaction_id: transactionId, ...body }, { key: on.apiKey, ...options }),
      expected: {
        kind: 'refund',
        outcome,
        source: 'api',
        transaction_id: transactionId,
        sale_id: saleId,
        partner_id: on.partnerId,
        is_test: false,
        facts,
      },
    };
  }

  /** A program that is connected to Stripe, and a builder for the events of its account. */
  async function connected(settings: Partial<Program> = {}) {
    const on = await service.program(settings);
    await connectStripe(service, on);
    return { on, stripe: new StripeEvents('2026', service.time) };
  }

  return { lead, sale, refund, connected };
}
