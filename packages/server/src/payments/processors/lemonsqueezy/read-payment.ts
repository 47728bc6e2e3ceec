import { isCurrency } from '@svc/contract';
import type { SubscriptionStage } from '../../../sales/sale.ts';
import type { PaymentFact, ProcessorFact } from '../../processor-fact.ts';
import { idOf, timeOf, wholeCents } from '../fields.ts';
import { couponsOf, type LemonObject, payerEvidence } from './evidence.ts';
import { nameOf } from './ids.ts';

/** Why there is an invoice of a subscription. Everything else is its start. */
const STAGES: Record<string, SubscriptionStage> = { renewal: 'cycle', updated: 'change' };
const UNPAID: unknown[] = ['pending', 'failed', 'fraudulent', 'void'];

/**
 * An order is a payment. That of a subscription is also reported as the first invoice of the subscription, which becomes the sale
 * in its place: only the invoice says what the payment is for.
 */
export function readOrder(order: LemonObject): ProcessorFact {
  const id = nameOf('order', order.id);
  if (id === null) return { kind: 'ignored', outcome: 'malformed' };
  const fact = readPayment(order, id, null);
  return fact.kind === 'payment' && fact.couponCodes ? { ...fact, isPerhapsInvoiced: true } : fact;
}

export function readInvoice(invoice: LemonObject): ProcessorFact {
  const [id, subscription] = [saleIdOf(invoice), nameOf('subscription', invoice.attributes.subscription_id)];
  if (id === null || subscription === null) return { kind: 'ignored', outcome: 'malformed' };
  return readPayment(invoice, id, subscription);
}

/**
 * The id of the sale of an invoice. Orders name their subscription and not the first invoice, so that one is known by the
 * subscription.
 */
export function saleIdOf({ id, attributes }: LemonObject): string | null {
  const isFirst = attributes.billing_reason === 'initial';
  return isFirst ? nameOf('subscription', attributes.subscription_id) : nameOf('invoice', id);
}

function readPayment(object: LemonObject, transactionId: string, subscription: string | null): ProcessorFact {
  const { attributes } = object;
  if (UNPAID.includes(attributes.status)) return { kind: 'ignored', outcome: 'not_paid' };
  const amountCents = wholeCents(attributes.total);
  const paidAt = timeOf(attributes.created_at);
  const currency = idOf(attributes.currency)?.toUpperCase() ?? '';
  if (amountCents === null || paidAt === null) return { kind: 'ignored', outcome: 'malformed' };
  if (!isCurrency(currency)) return { kind: 'ignored', outcome: 'unknown_currency' };
  return {
    kind: 'payment',
    transactionId,
    amountCents,
    ...taxIn(attributes.tax, amountCents),
    currency,
    saleType: subscription === null ? 'payment' : 'subscription',
    subscriptionStage: subscription === null ? undefined : (STAGES[String(attributes.billing_reason)] ?? 'start'),
    subscriptionId: subscription ?? undefined,
    paidAt,
    evidence: payerEvidence(object, subscription),
    ...couponsOf(object),
    paidBy: [],
    needsAnnouncement: false,
    expectsBetterEvidence: false,
  };
}

function taxIn(tax: unknown, amountCents: number): Pick<PaymentFact, 'taxCents'> {
  const taxCents = wholeCents(tax);
  return taxCents === null || taxCents > amountCents ? {} : { taxCents };
}
