import { commissionFrom } from '../commissions/commission-from.ts';
import type { NewCommission } from '../commissions/commission-store.ts';
import { lastClickFacts } from '../customers/apply-last-click.ts';
import type { NewCredit } from '../customers/credit-store.ts';
import { type Customer, isAttributed } from '../customers/customer.ts';
import type { Decision } from '../decisions/decision.ts';
import { commissionableCents } from '../terms/earning.ts';
import { lastRule } from '../terms/reward.ts';
import { storedFacts } from '../terms/stored-facts.ts';
import { termsFacts } from '../terms/terms-facts.ts';
import { clickAgeDays, windowOf } from './attribution-window.ts';
import { couponFacts, NEW_CUSTOMER_ID } from './coupon-credit.ts';
import { type SaleOutcome, type SaleVerdict, wouldCreditId } from './sale.ts';
import { SALE_DETAIL_COLUMNS } from './sale-details.ts';
import type { ClaimedSale, RewardedSale } from './sale-reward.ts';
import type { SaleRow } from './sale-store.ts';

/** A sale whose transaction id was free. */
export type WrittenSale = RewardedSale & { saleId: number };

const DETAILS = Object.keys(SALE_DETAIL_COLUMNS) as (keyof typeof SALE_DETAIL_COLUMNS)[];

export function saleRow({ saleId, attempt, facts, terms, verdict, paidAt, ...rewarded }: WrittenSale): SaleRow {
  const { rewards, rewardFacts } = rewarded;
  const { program, sale } = attempt;
  const paid = rewards.own ?? terms;
  const row: SaleRow = {
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
    terms_version: terms.version,
    terms_facts: sale.isTest ? undefined : storedFacts(rewardFacts, [rewards.own, rewards.override]),
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
  // Always the same fields in the same order, so that all rows have one shape.
  for (const column of DETAILS) row[column] = sale.details?.[column];
  return row;
}

function commissionState(verdict: SaleVerdict): 'created' | 'owed' | 'none' {
  if (verdict.is === 'recorded') return verdict.earned ? 'created' : 'none';
  return verdict.is === 'unpaid' && verdict.owesCommission ? 'owed' : 'none';
}

/** The commissions that the sale earned: the partner's, and the recruiter's where a rule says so. */
export function commissionsOf({ saleId, attempt, terms, rewards, verdict, paidAt }: WrittenSale): NewCommission[] {
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
export function creditOf({ saleId, attempt, facts, terms, rewards, verdict, paidAt }: WrittenSale): NewCredit[] {
  const { credit } = rewards;
  const isSale = verdict.is === 'recorded' && verdict.reason !== 'test_event';
  if (!credit || !facts.customer || !isSale || facts.isSelfReferral) return [];
  const { program } = attempt;
  const granted = { customerId: facts.customer.id, saleId, termsVersion: terms.version, ...credit, createdAt: paidAt };
  return [{ programId: program.id, ...granted }];
}

/** The earliest of these sales for each customer. */
export function firstSales(sales: WrittenSale[]): Map<number, Date> {
  const first = new Map<number, Date>();
  for (const { facts, paidAt } of sales) {
    const id = facts.customer?.id;
    const earliest = id === undefined ? undefined : first.get(id);
    if (id !== undefined && (earliest === undefined || paidAt < earliest)) first.set(id, paidAt);
  }
  return first;
}

/** Whether another sale already has the transaction id. */
export function isDuplicate({ refusal, saleId }: ClaimedSale): boolean {
  return refusal === null && saleId === null;
}

/** The outcome for the caller who reported the sale, with the ids of what was written. */
export function outcomeOf(
  sale: RewardedSale,
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

const duplicateReason = (isTakenElsewhere: boolean) =>
  isTakenElsewhere ? 'transaction_of_other_program' : 'duplicate_transaction';

const OUTCOMES = {
  refused: 'refused',
  outside_window: 'not_attributed',
  recorded: 'recorded',
  unpaid: 'failed',
} as const;

/** The decision row: what was decided about the sale, why, and what was known. */
export function saleDecision(rewarded: RewardedSale, isCredited: boolean): Decision {
  const { attempt, facts, terms, rewards, verdict, owner, paidAt, now, saleId } = rewarded;
  const { program, sale } = attempt;
  const { customer, membershipStatus } = facts;
  const earned = 'earned' in verdict ? verdict.earned : null;
  const isTaken = isDuplicate(rewarded);
  // The brand has to know that another program has the id, but not which one.
  const isTakenElsewhere = owner !== null && owner.programId !== program.id;
  return {
    programId: program.id,
    kind: 'sale',
    outcome: isTaken ? 'refused' : OUTCOMES[verdict.is],
    reason: isTaken ? duplicateReason(isTakenElsewhere) : verdict.reason,
    facts: {
      amount_cents: sale.amountCents,
      tax_cents: sale.taxCents,
      shipping_cents: sale.shippingCents,
      currency: sale.currency,
      is_recurring: sale.isRecurring,
      ...termsFacts(terms, isCredited ? rewards : { ...rewards, credit: null }),
      base_cents: commissionableCents(rewards.own ?? terms, sale) ?? undefined,
      window_days: program.attributionWindowDays,
      customer_status: customer?.status,
      clicked_at: customer?.clickedAt,
      ...lastClickFacts(customer, facts.lastClick),
      signed_up_at: customer?.leadAt,
      converted_at: customer?.convertedAt,
      membership_status: membershipStatus,
      paid_at: sale.paidAt,
      click_age_days: customer ? clickAge(customer, paidAt) : undefined,
      commission_cents: earned?.cents.toString(),
      commission_currency: earned?.currency,
      hold_reason: 'holdReason' in verdict ? (verdict.holdReason ?? undefined) : undefined,
      ...couponFacts(sale.couponCode, rewarded.coupon),
      recorded_as: isTakenElsewhere || owner?.recordedAs === sale.transactionId ? undefined : owner?.recordedAs,
      paid_by: sale.paidBy,
      would_credit_customer_id: sale.realCustomer?.id,
      would_credit_partner_id: wouldCreditId(sale, facts) ?? undefined,
      hint: sale.hint,
    },
    source: sale.source,
    // Who would have been added with a sale that is not written does not exist.
    customerId: customer?.id === NEW_CUSTOMER_ID ? null : customer?.id,
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
  const window = windowOf(customer, 0, paidAt);
  return window ? clickAgeDays(window) : undefined;
}
