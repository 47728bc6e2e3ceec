import { commissionableCents, holdEnd } from '../commissions/commission.ts';
import type { NewCommission } from '../commissions/commission-store.ts';
import { type Customer, isAttributed, signedUpAt } from '../customers/customer.ts';
import type { Decision } from '../decisions/decision.ts';
import type { Reason } from '../decisions/reasons.ts';
import type { Terms } from '../terms/terms.ts';
import { termsFacts } from '../terms/terms-facts.ts';
import { clickAgeDays } from './attribution-window.ts';
import { type CouponUse, couponFacts } from './coupons/coupon-credit.ts';
import type { SaleAttempt, SaleFacts, SaleOutcome, SaleVerdict } from './sale.ts';
import type { SaleRow } from './sale-store.ts';

/** A sale with its verdict, before the duplicate guard. */
export type JudgedSale = {
  attempt: SaleAttempt;
  facts: SaleFacts;
  /** What its coupon code did; null without one. */
  coupon: CouponUse | null;
  /** The terms in force when it was paid. */
  terms: Terms;
  verdict: SaleVerdict;
  paidAt: Date;
  now: Date;
};

/**
 * A judged sale after the duplicate guard. It has no id if it is not written: refused, or its transaction id was taken,
 * perhaps by another program, perhaps by a sale of the same payment that was recorded under another id.
 */
export type ClaimedSale = JudgedSale & {
  saleId: number | null;
  isTakenElsewhere: boolean;
  recordedAs: string | null;
};

/** Whether the sale should be written, provided its transaction id is free. */
export function shouldWrite({ verdict }: JudgedSale): boolean {
  return verdict.is === 'recorded' || verdict.is === 'unpaid';
}

export function saleRow({ attempt, facts, terms, verdict, paidAt }: JudgedSale, saleId: number): SaleRow {
  const { program, sale } = attempt;
  return {
    id: saleId,
    processor_event_id: sale.transactionId,
    program_id: program.id,
    customer_id: facts.customer?.id,
    partner_id: facts.partnerExists ? facts.customer?.partnerId : null,
    link_id: facts.customer?.linkId,
    amount_cents: sale.amountCents,
    tax_cents: sale.taxCents,
    shipping_cents: sale.shippingCents,
    currency: sale.currency,
    sale_type: sale.saleType,
    is_recurring: sale.isRecurring,
    coupon_code: sale.couponCode,
    subscription_stage: sale.subscriptionStage,
    subscription_id: sale.subscriptionId,
    subscription_interval: sale.subscriptionInterval,
    product_id: sale.productId,
    line_items: sale.lineItems,
    terms_version: terms.version,
    commission_type: terms.type,
    commission_rate: terms.rate,
    commission_base: terms.base,
    program_currency: terms.currency,
    commission_state: commissionState(verdict),
    hold_days: terms.holdDays,
    hold_reason: 'holdReason' in verdict ? verdict.holdReason : null,
    is_test: sale.isTest,
    request_id: sale.requestId,
    created_at: paidAt,
  };
}

function commissionState(verdict: SaleVerdict): 'created' | 'owed' | 'none' {
  if (verdict.is === 'recorded') return verdict.earned ? 'created' : 'none';
  return verdict.is === 'unpaid' && verdict.owesCommission ? 'owed' : 'none';
}

/** The commission that the sale earned, if any. */
export function commissionOf({ attempt, facts, terms, verdict, paidAt }: JudgedSale, saleId: number): NewCommission[] {
  const partnerId = facts.customer?.partnerId;
  if (verdict.is !== 'recorded' || !verdict.earned || !partnerId) return [];
  return [
    {
      kind: 'sale',
      saleId,
      programId: attempt.program.id,
      partnerId,
      commissionType: terms.type,
      commissionRate: terms.rate,
      cents: verdict.earned.cents,
      currency: verdict.earned.currency,
      approveAfter: holdEnd(paidAt, terms.holdDays),
      holdReason: verdict.holdReason,
      termsVersion: terms.version,
      createdAt: paidAt,
    },
  ];
}

/** The earliest of these sales for each customer. */
export function firstSales(sales: JudgedSale[]): Map<number, Date> {
  const first = new Map<number, Date>();
  for (const { facts, paidAt } of sales) {
    const id = facts.customer?.id;
    const earliest = id === undefined ? undefined : first.get(id);
    if (id !== undefined && (earliest === undefined || paidAt < earliest)) first.set(id, paidAt);
  }
  return first;
}

/** Whether another sale already has the transaction id. */
export function isDuplicate(sale: ClaimedSale): boolean {
  return shouldWrite(sale) && sale.saleId === null;
}

/** The outcome for the caller who reported the sale, with the ids of what was written. */
export function outcomeOf(sale: ClaimedSale, commissionId: number | null, decisionId: number): SaleOutcome {
  const { verdict, facts, attempt, saleId } = sale;
  if (verdict.is === 'refused' || verdict.is === 'outside_window') return verdict;
  if (saleId === null) return { is: 'refused', reason: 'duplicate_transaction' };
  if (verdict.is === 'unpaid') return { is: 'refused', reason: verdict.reason };
  return {
    is: 'recorded',
    saleId,
    commissionId,
    earned: {
      cents: Number(verdict.earned?.cents ?? 0),
      currency: verdict.earned?.currency ?? attempt.sale.currency,
    },
    attributed: facts.customer !== null && isAttributed(facts.customer),
    decisionId,
    isTest: attempt.sale.isTest,
  };
}

function duplicateReason({ isTakenElsewhere }: ClaimedSale): Reason {
  return isTakenElsewhere ? 'transaction_of_other_program' : 'duplicate_transaction';
}

/** The id of the sale that already has this payment, if it is another one. */
function otherName({ recordedAs, attempt }: ClaimedSale): string | undefined {
  return recordedAs === null || recordedAs === attempt.sale.transactionId ? undefined : recordedAs;
}

const OUTCOMES = {
  refused: 'refused',
  outside_window: 'not_attributed',
  recorded: 'recorded',
  unpaid: 'failed',
} as const;

export function saleDecision(claimed: ClaimedSale): Decision {
  const { attempt, facts, terms, verdict, paidAt, now, saleId } = claimed;
  const { program, sale } = attempt;
  const { customer, membershipStatus } = facts;
  const earned = 'earned' in verdict ? verdict.earned : null;
  const isTaken = isDuplicate(claimed);
  return {
    programId: program.id,
    kind: 'sale',
    outcome: isTaken ? 'refused' : OUTCOMES[verdict.is],
    reason: isTaken ? duplicateReason(claimed) : verdict.reason,
    facts: {
      amount_cents: sale.amountCents,
      tax_cents: sale.taxCents,
      shipping_cents: sale.shippingCents,
      currency: sale.currency,
      is_recurring: sale.isRecurring,
      ...termsFacts(terms),
      base_cents: commissionableCents(terms, sale) ?? undefined,
      window_days: program.attributionWindowDays,
      customer_status: customer?.status,
      clicked_at: customer?.clickedAt,
      signed_up_at: customer?.leadAt,
      converted_at: customer?.convertedAt,
      membership_status: membershipStatus,
      paid_at: sale.paidAt,
      click_age_days: customer ? clickAge(customer, paidAt) : undefined,
      commission_cents: earned?.cents.toString(),
      commission_currency: earned?.currency,
      hold_reason: 'holdReason' in verdict ? (verdict.holdReason ?? undefined) : undefined,
      ...couponFacts(sale.couponCode, claimed.coupon),
      recorded_as: otherName(claimed),
      paid_by: sale.paidBy,
      would_credit_customer_id: sale.wouldCredit?.customerId,
      would_credit_partner_id: sale.wouldCredit?.partnerId ?? undefined,
      hint: sale.hint,
    },
    source: sale.source,
    customerId: customer?.id,
    partnerId: facts.partnerExists ? customer?.partnerId : null,
    saleId,
    transactionId: sale.transactionId,
    customerKey: sale.customerKey,
    clickId: sale.clickId,
    additionalData: sale.additionalData,
    requestId: sale.requestId,
    isTest: sale.isTest,
    createdAt: now,
  };
}

/** The age of the click under the window rule, even if the window no longer applies. */
function clickAge(customer: Customer, paidAt: Date): number | undefined {
  if (customer.clickedAt === null) return undefined;
  return clickAgeDays({ clickedAt: customer.clickedAt, signedUpAt: signedUpAt(customer), paidAt, windowDays: 0 });
}
