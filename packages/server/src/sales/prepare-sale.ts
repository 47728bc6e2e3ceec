import { type Customer, isAttributed, signedUpAt } from '../customers/customer.ts';
import type { Decision } from '../decisions/decision.ts';
import { clickAgeDays } from './attribution-window.ts';
import { judgeSale, type SaleAttempt, type SaleFacts, type SaleOutcome, type SaleVerdict } from './sale.ts';
import type { SaleToWrite, WrittenSale } from './sale-store.ts';

/** A sale with its verdict and all that is to be written because of it. */
export type JudgedSale = { verdict: SaleVerdict; write: SaleToWrite };

export function judgeAndPrepare(attempt: SaleAttempt, facts: SaleFacts, now: Date): JudgedSale {
  const paidAt = attempt.sale.paidAt ?? now;
  const verdict = judgeSale(attempt, facts, paidAt);
  return { verdict, write: saleToWrite(attempt, facts, verdict, paidAt, now) };
}

function saleToWrite(
  attempt: SaleAttempt,
  facts: SaleFacts,
  verdict: SaleVerdict,
  paidAt: Date,
  now: Date,
): SaleToWrite {
  const { customer } = facts;
  const isRecorded = verdict.is === 'recorded';
  const writesSale = isRecorded || verdict.is === 'partnerless';
  const owes = verdict.is === 'partnerless' && verdict.owesCommission;
  const earned = isRecorded ? verdict.earned : null;
  return {
    ...attempt,
    customer,
    paidAt,
    partnerId: facts.partnerExists ? (customer?.partnerId ?? null) : null,
    writesSale,
    converts: writesSale && customer !== null,
    earned,
    commissionState: earned ? 'created' : owes ? 'owed' : 'none',
    decision: decisionOf(attempt, facts, verdict, paidAt, now),
  };
}

/** How the sale ended, now that the write has settled whether its transaction id was still free. */
export function outcomeOf({ verdict, write }: JudgedSale, written: WrittenSale): SaleOutcome {
  if (verdict.is === 'refused' || verdict.is === 'outside_window') return verdict;
  if (written.saleId === null) return { is: 'refused', reason: 'duplicate_transaction' };
  if (verdict.is === 'partnerless') return { is: 'refused', reason: verdict.reason };
  return {
    is: 'recorded',
    saleId: written.saleId,
    commissionId: written.commissionId,
    earned: {
      cents: Number(verdict.earned?.cents ?? 0),
      currency: verdict.earned?.currency ?? write.sale.currency,
    },
    attributed: write.customer !== null && isAttributed(write.customer),
    decisionId: written.decisionId,
  };
}

const OUTCOMES = {
  refused: 'refused',
  outside_window: 'not_attributed',
  recorded: 'recorded',
  partnerless: 'failed',
} as const;

function decisionOf(
  { program, sale }: SaleAttempt,
  { customer, membershipStatus }: SaleFacts,
  verdict: SaleVerdict,
  paidAt: Date,
  now: Date,
): Decision {
  return {
    programId: program.id,
    kind: 'sale',
    outcome: OUTCOMES[verdict.is],
    reason: verdict.reason,
    facts: {
      amount_cents: sale.amountCents,
      currency: sale.currency,
      is_recurring: sale.isRecurring,
      commission_type: program.commissionType,
      commission_rate: program.commissionRate,
      window_days: program.attributionWindowDays,
      customer_status: customer?.status,
      clicked_at: customer?.clickedAt,
      signed_up_at: customer?.leadAt,
      converted_at: customer?.convertedAt,
      membership_status: membershipStatus,
      paid_at: sale.paidAt,
      click_age_days: customer ? clickAge(customer, paidAt) : undefined,
      commission_cents: verdict.is === 'recorded' && verdict.earned ? verdict.earned.cents.toString() : undefined,
      commission_currency: verdict.is === 'recorded' ? verdict.earned?.currency : undefined,
    },
    source: sale.source,
    customerId: customer?.id,
    partnerId: customer?.partnerId,
    transactionId: sale.transactionId,
    customerKey: sale.customerKey,
    clickId: sale.clickId,
    additionalData: sale.additionalData,
    requestId: sale.requestId,
    isTest: sale.isTest,
    createdAt: now,
  };
}

/** The age of the click as the window rule sees it, also where the window was not looked at any more. */
function clickAge(customer: Customer, paidAt: Date): number | undefined {
  if (customer.clickedAt === null) return undefined;
  return clickAgeDays({ clickedAt: customer.clickedAt, signedUpAt: signedUpAt(customer), paidAt, windowDays: 0 });
}
