import { type Customer, signedUpAt } from '../customers/customer.ts';
import type { Decision } from '../decisions/decision.ts';
import type { Reason } from '../decisions/reasons.ts';
import { commissionableCents } from '../terms/earning.ts';
import { termsFacts } from '../terms/terms-facts.ts';
import { clickAgeDays } from './attribution-window.ts';
import { couponFacts } from './coupons/coupon-credit.ts';
import { type ClaimedSale, isDuplicate } from './prepare-sale.ts';
import { wouldCreditId } from './sale.ts';

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

export function saleDecision(claimed: ClaimedSale, isCredited: boolean): Decision {
  const { attempt, facts, terms, rewards, verdict, paidAt, now, saleId } = claimed;
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
      ...termsFacts(terms, isCredited ? rewards : { ...rewards, credit: null }),
      base_cents: commissionableCents(rewards.own ?? terms, sale) ?? undefined,
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
      would_credit_customer_id: sale.realCustomer?.id,
      would_credit_partner_id: wouldCreditId(sale, facts) ?? undefined,
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
