import { CUSTOM_EVENT_TYPES, type CustomEvent, customEvent, schemaProblem } from '@svc/contract';
import type { SubscriptionStage } from '../../../sales/sale.ts';
import { CURRENCY_OF_SALE, type DeductionFact, type PayerEvidence, type ProcessorFact } from '../../processor-fact.ts';
import { idOf, timeOf } from '../fields.ts';
import { at, present, record } from '../payload.ts';
import type { EventEnvelope } from '../processor.ts';
import type { SignedRequest } from '../verify-signature.ts';

/** The id of the event is in a header, which is signed too. */
export function readEnvelope(payload: unknown, { headers }: Pick<SignedRequest, 'headers'>): EventEnvelope | null {
  const id = idOf(headers['webhook-id']);
  const type = CUSTOM_EVENT_TYPES.find((name) => name === at(payload, 'type'));
  const happenedAt = timeOf(at(payload, 'at'));
  if (id === null || type === undefined || happenedAt === null) return null;
  return { id, type, happenedAt, isLive: at(payload, 'test_mode') !== true };
}

/** Translates an event of the shop into a fact, which it nearly is. A field that is wrong is named in the hint. */
export function readCustomEvent(payload: unknown): ProcessorFact {
  const parsed = customEvent.safeParse(withoutNulls(payload));
  if (parsed.success) return factOf(parsed.data);
  const { field, message } = schemaProblem(parsed.error);
  return { kind: 'ignored', outcome: field === 'currency' ? 'unknown_currency' : 'malformed', hint: message };
}

/** As everywhere in the API, null counts as absent. */
function withoutNulls(payload: unknown): Record<string, unknown> {
  const kept = (value: unknown) =>
    Object.fromEntries(Object.entries(record(value) ?? {}).filter(([, each]) => each !== null));
  const fields = kept(payload);
  const nested = ['payer', 'subscription'].filter((name) => record(fields[name]) && !Array.isArray(fields[name]));
  return { ...fields, ...Object.fromEntries(nested.map((name) => [name, kept(fields[name])])) };
}

const STAGES: Record<'start' | 'renewal' | 'change', SubscriptionStage> = {
  start: 'start',
  renewal: 'cycle',
  change: 'change',
};
const REFUND_STATES = { pending: 'standing', succeeded: 'settled', failed: 'undone' } as const;
const DISPUTE_STATES = { open: 'standing', lost: 'settled', won: 'undone' } as const;

/** A shop uses the same ids in both modes, and a test must not meet what is real. */
const modeOf = ({ test_mode: isTest }: Pick<CustomEvent, 'test_mode'>) => (isTest ? 'test:' : '');

function factOf(event: CustomEvent): ProcessorFact {
  switch (event.type) {
    case 'payment':
      return paymentOf(event);
    case 'refund':
      return deductionOf('refund', event.refund_id, REFUND_STATES[event.status], event);
    case 'dispute':
      return deductionOf('dispute', event.dispute_id, DISPUTE_STATES[event.status], event);
    case 'identity': {
      const evidence = evidenceOf(event.payer, undefined, modeOf(event));
      return { kind: 'identity', outcome: 'payer_known', evidence, paidBy: [], invoice: null };
    }
  }
}

type PaymentEvent = Extract<CustomEvent, { type: 'payment' }>;

function paymentOf({ payer, subscription, coupon_code: code, ...event }: PaymentEvent): ProcessorFact {
  const mode = modeOf(event);
  const subscriptionId = subscription && `${mode}${subscription.id}`;
  return {
    kind: 'payment',
    transactionId: `${mode}${event.transaction_id}`,
    amountCents: event.amount_cents,
    ...(event.tax_cents !== undefined && { taxCents: event.tax_cents }),
    ...(event.shipping_cents !== undefined && { shippingCents: event.shipping_cents }),
    currency: event.currency,
    saleType: subscription ? 'subscription' : 'payment',
    subscriptionStage: subscription && STAGES[subscription.stage],
    subscriptionId,
    paidAt: new Date(event.at),
    evidence: evidenceOf(payer, subscription?.id, mode),
    ...(code !== undefined && { couponCodes: [code] }),
    paidBy: [],
    needsAnnouncement: false,
    expectsBetterEvidence: false,
  };
}

type Amount = Pick<
  Extract<CustomEvent, { type: 'refund' }>,
  'at' | 'transaction_id' | 'amount_cents' | 'tax_cents' | 'currency' | 'test_mode'
>;

/** Ids of refunds and of disputes may be the same. */
function deductionOf(
  kind: DeductionFact['kind'],
  id: string,
  state: DeductionFact['state'],
  { at: time, transaction_id: transaction, amount_cents: amountCents, currency, ...event }: Amount,
): DeductionFact {
  const happenedAt = new Date(time);
  const mode = modeOf(event);
  return {
    kind,
    id: `custom:${mode}${kind}:${id}`,
    chargeId: null,
    paymentIntent: `${mode}${transaction}`,
    amountCents,
    taxCents: event.tax_cents ?? null,
    currency: currency ?? CURRENCY_OF_SALE,
    state,
    madeAt: happenedAt,
    stateAt: happenedAt,
  };
}

function evidenceOf(payer: PaymentEvent['payer'], subscriptionId: string | undefined, mode: string): PayerEvidence {
  const { customer_id: customer, customer_key: customerKey, click_id: clickId, email } = payer;
  return {
    programId: undefined,
    clickId,
    customerKey,
    clientReference: undefined,
    references: present([
      customer === undefined ? null : `${mode}customer:${customer}`,
      subscriptionId === undefined ? null : `${mode}subscription:${subscriptionId}`,
    ]),
    email,
    hint: undefined,
  };
}
