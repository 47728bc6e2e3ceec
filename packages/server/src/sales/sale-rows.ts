import { commissionFrom } from '../commissions/commission-from.ts';
import type { NewCommission } from '../commissions/commission-store.ts';
import type { NewCredit } from '../customers/credit-store.ts';
import { isAttributed } from '../customers/customer.ts';
import { lastRule, type Rewards } from '../terms/reward.ts';
import type { RewardFacts } from '../terms/rule-match.ts';
import { storedFacts } from '../terms/stored-facts.ts';
import type { Terms } from '../terms/terms.ts';
import type { CouponUse } from './coupons/coupon-credit.ts';
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
  /** What the terms were asked, and what they pay. */
  rewardFacts: RewardFacts;
  rewards: Rewards;
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

export function saleRow(judged: JudgedSale, saleId: number): SaleRow {
  const { attempt, facts, terms, rewards, verdict, paidAt } = judged;
  const { program, sale } = attempt;
  const paid = rewards.own ?? terms;
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
    terms_facts: sale.isTest ? undefined : storedFacts(judged.rewardFacts, [rewards.own, rewards.override]),
    rule: rewards.own?.rule ?? lastRule(terms),
    commission_type: paid.type,
    commission_rate: paid.rate,
    commission_base: paid.base,
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

/** The commissions that the sale earned: the partner's, and the recruiter's where a rule says so. */
export function commissionsOf(
  { attempt, terms, rewards, verdict, paidAt }: JudgedSale,
  saleId: number,
): NewCommission[] {
  if (verdict.is !== 'recorded' || verdict.reason === 'test_event') return [];
  const { override } = rewards;
  const paid = [verdict.earned && rewards.own, override && override.earned.cents > 0n ? override : null];
  return paid.flatMap((reward) =>
    reward
      ? [
          {
            ...commissionFrom(reward, terms, paidAt),
            saleId,
            programId: attempt.program.id,
            holdReason: 'holdReason' in verdict ? verdict.holdReason : null,
            createdAt: paidAt,
          },
        ]
      : [],
  );
}

/** What the customer is granted with the sale. A partner who buys through the own link gets nothing. */
export function creditOf({ attempt, facts, terms, rewards, verdict, paidAt }: JudgedSale, saleId: number): NewCredit[] {
  const { credit } = rewards;
  const isSale = verdict.is === 'recorded' && verdict.reason !== 'test_event';
  if (!credit || !facts.customer || !isSale || facts.isSelfReferral) return [];
  const { program } = attempt;
  const granted = { customerId: facts.customer.id, saleId, termsVersion: terms.version, ...credit, createdAt: paidAt };
  return [{ programId: program.id, ...granted }];
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
export function outcomeOf(
  sale: ClaimedSale,
  { commissionId, decisionId, isCredited }: { commissionId: number | null; decisionId: number; isCredited: boolean },
): SaleOutcome {
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
    credit: isCredited ? sale.rewards.credit : null,
    decisionId,
    isTest: attempt.sale.isTest,
  };
}
