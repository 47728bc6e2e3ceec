import { isCurrency } from '@svc/contract';
import type { SubscriptionStage } from '../../../sales/sale.ts';
import type { PaymentFact, ProcessorFact } from '../../processor-fact.ts';
import { shareOf } from '../../share-of.ts';
import { at, record } from '../payload.ts';
import { payerEvidence } from './custom-data.ts';
import { centsOf, customText, idOf, paidCentsOf, timeOf } from './fields.ts';

/** How the payments of a subscription come about. Everything else is its start. */
const STAGES: Record<string, SubscriptionStage> = {
  subscription_recurring: 'cycle',
  subscription_charge: 'change',
  subscription_update: 'change',
  subscription_payment_method_change: 'change',
};

/** A completed transaction is a payment. While it is only paid, its subscription and final totals are not known yet. */
export function readTransaction(id: string, transaction: Record<string, unknown>, eventAt: Date): ProcessorFact {
  if (transaction.status !== 'completed') return { kind: 'ignored', outcome: 'not_paid' };
  const totals = at(transaction.details, 'totals');
  // What the customer paid: after discounts and credit, including tax.
  const amountCents = paidCentsOf(at(totals, 'grand_total'));
  const currency = idOf(transaction.currency_code)?.toUpperCase() ?? '';
  if (amountCents === null) return { kind: 'ignored', outcome: 'malformed' };
  if (!isCurrency(currency)) return { kind: 'ignored', outcome: 'unknown_currency' };
  const subscription = idOf(transaction.subscription_id);
  return {
    kind: 'payment',
    transactionId: id,
    amountCents,
    ...taxIn(totals, amountCents),
    currency,
    saleType: subscription === null ? 'payment' : 'subscription',
    subscriptionStage: subscription === null ? undefined : (STAGES[String(transaction.origin)] ?? 'start'),
    subscriptionId: subscription ?? undefined,
    paidAt: capturedAt(transaction.payments) ?? timeOf(transaction.billed_at) ?? eventAt,
    evidence: payerEvidence(transaction, [idOf(transaction.customer_id), subscription]),
    ...codesOf(transaction),
    paidBy: [],
    needsAnnouncement: false,
    expectsBetterEvidence: false,
  };
}

/** The tax in what was paid. Where only the tax of the total is named, from which credit is not deducted, it is its share. */
function taxIn(totals: unknown, amountCents: number): Pick<PaymentFact, 'taxCents'> {
  const [total, tax] = [centsOf(at(totals, 'total')), centsOf(at(totals, 'tax'))];
  const share = total === null || tax === null ? null : shareOf(tax, Math.min(amountCents, total), total);
  const taxCents = centsOf(at(totals, 'grand_total_tax')) ?? share;
  return taxCents === null || taxCents > amountCents ? {} : { taxCents };
}

/** When the money was taken. Attempts that failed are listed too. */
function capturedAt(payments: unknown): Date | null {
  const times = Array.isArray(payments) ? payments.map((payment) => timeOf(record(payment)?.captured_at)) : [];
  return times.find((time) => time !== null) ?? null;
}

type CouponParts = Pick<PaymentFact, 'couponCodes' | 'discountIds'>;

/** The shop's own word for the coupon, or the discount, which is named by its id. */
function codesOf({ custom_data: custom, discount_id: id }: Record<string, unknown>): CouponParts {
  const [named, discount] = [customText(at(custom, 'svc_coupon_code')), idOf(id)];
  return { ...(named && { couponCodes: [named] }), ...(discount && { discountIds: [discount] }) };
}
