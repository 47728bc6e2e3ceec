import { isCurrency } from '@svc/contract';
import type { SubscriptionStage } from '../../../sales/sale.ts';
import type { PaymentFact, ProcessorFact } from '../../processor-fact.ts';
import { shareOf } from '../../share-of.ts';
import { customText, idOf, wholeCents } from '../fields.ts';
import { at } from '../payload.ts';
import { payerEvidence } from './evidence.ts';

/** How the payments of a subscription come about. Everything else is its start. */
const STAGES: Record<string, SubscriptionStage> = {
  subscription_cycle: 'cycle',
  subscription_meter_cycle: 'cycle',
  subscription_update: 'change',
};

/** A paid order is a payment. Its metadata are those of its checkout, or of its subscription. */
export function readOrder(id: string, order: Record<string, unknown>, paidAt: Date): ProcessorFact {
  if (order.paid === false) return { kind: 'ignored', outcome: 'not_paid' };
  const amountCents = paidCents(order);
  const currency = idOf(order.currency)?.toUpperCase() ?? '';
  if (amountCents === null) return { kind: 'ignored', outcome: 'malformed' };
  if (!isCurrency(currency)) return { kind: 'ignored', outcome: 'unknown_currency' };
  const subscription = idOf(order.subscription_id);
  const metadata = [order.metadata, at(order.subscription, 'metadata'), at(order.customer, 'metadata')];
  return {
    kind: 'payment',
    transactionId: id,
    amountCents,
    ...taxIn(order, amountCents),
    currency,
    saleType: subscription === null ? 'payment' : 'subscription',
    subscriptionStage: subscription === null ? undefined : (STAGES[String(order.billing_reason)] ?? 'start'),
    subscriptionId: subscription ?? undefined,
    paidAt,
    evidence: payerEvidence(metadata, order.customer, { customer: idOf(order.customer_id), subscription }),
    ...couponsOf(order, metadata),
    paidBy: [],
    needsAnnouncement: false,
    expectsBetterEvidence: false,
  };
}

/** What the customer paid: after discounts and the balance they had, including tax. */
export function paidCents(order: Record<string, unknown>): number | null {
  return wholeCents(order.due_amount ?? order.total_amount);
}

/** The tax in what was paid. If a balance paid for some of the order, its tax counts in proportion. */
function taxIn(order: Record<string, unknown>, amountCents: number): Pick<PaymentFact, 'taxCents'> {
  const [tax, total] = [wholeCents(order.tax_amount), wholeCents(order.total_amount)];
  if (tax === null || total === null || tax > total) return {};
  return { taxCents: shareOf(tax, Math.min(amountCents, total), total) };
}

/** The shop's own word for the coupon, or the code of the discount. A discount without a code has none. */
function couponsOf(order: Record<string, unknown>, metadata: unknown[]): Pick<PaymentFact, 'couponCodes'> {
  const named = metadata.map((source) => customText(at(source, 'svc_coupon_code'))).find(Boolean);
  const couponCodes = [named, idOf(at(order.discount, 'code'))].filter((code) => typeof code === 'string');
  return couponCodes.length === 0 ? {} : { couponCodes };
}
