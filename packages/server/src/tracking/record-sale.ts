import type { Context } from '../context.ts';
import { isRefusedStatement } from '../db/db.ts';
import type { Program } from '../programs/program.ts';
import { isAttributed } from './customer.ts';
import type { Decision } from './decision.ts';
import {
  judgeSale,
  type NewSale,
  type SaleAttempt,
  type SaleFacts,
  type SaleOutcome,
  type SaleVerdict,
} from './sale.ts';
import { findSaleFacts } from './sale-facts-store.ts';
import { insertSales, type SaleToWrite, type WrittenSale } from './sale-store.ts';
import type { TrackingContext } from './tracking-context.ts';

/** Records a sale once. The sale stands even if its commission fails. */
export function recordSale(ctx: TrackingContext, program: Program, sale: NewSale): Promise<SaleOutcome> {
  return ctx.sales.submit({ program, sale });
}

/** Records a group of sales: look up what is known, judge each, write them all. Duplicates are settled by the write. */
export async function recordSales(ctx: Context, attempts: SaleAttempt[]): Promise<SaleOutcome[]> {
  const paidAt = ctx.now();
  const facts = await findSaleFacts(ctx.db, attempts);
  const verdicts = attempts.map((attempt, index) => judgeSale(attempt, facts[index] as SaleFacts, paidAt));
  const writes = attempts.map((attempt, index) =>
    saleToWrite(attempt, facts[index] as SaleFacts, verdicts[index] as SaleVerdict, paidAt),
  );
  try {
    const written = await insertSales(ctx.db, writes);
    return verdicts.map((verdict, index) =>
      outcomeOf(verdict, writes[index] as SaleToWrite, written[index] as WrittenSale),
    );
  } catch (error) {
    // In a group the fault may be another sale's; then each is tried again alone.
    if (attempts.length === 1 && isRefusedStatement(error)) return [await keepWithoutCommission(ctx, writes[0], error)];
    throw error;
  }
}

/** The commission cannot be created: the sale is written all the same, and owes it. */
async function keepWithoutCommission(
  ctx: Context,
  write: SaleToWrite | undefined,
  error: unknown,
): Promise<SaleOutcome> {
  if (write?.commissionState !== 'created') throw error;
  const decision: Decision = { ...write.decision, outcome: 'failed', reason: 'commission_failed' };
  const [written] = await insertSales(ctx.db, [{ ...write, earned: null, commissionState: 'owed', decision }]);
  if (!written?.saleId) return { is: 'refused', reason: 'duplicate_transaction' };
  ctx.log.error({ err: error, saleId: written.saleId, requestId: write.sale.requestId }, 'A sale owes its commission');
  return { is: 'refused', reason: 'commission_failed' };
}

function saleToWrite(attempt: SaleAttempt, facts: SaleFacts, verdict: SaleVerdict, paidAt: Date): SaleToWrite {
  const { customer } = facts;
  const isRecorded = verdict.is === 'recorded';
  const owes = verdict.is === 'partnerless' && verdict.owesCommission;
  const earned = isRecorded ? verdict.earned : null;
  return {
    ...attempt,
    customer,
    partnerId: facts.partnerExists ? (customer?.partnerId ?? null) : null,
    writesSale: isRecorded || verdict.is === 'partnerless',
    converts: isRecorded && customer !== null,
    earned,
    commissionState: earned ? 'created' : owes ? 'owed' : 'none',
    decision: decisionOf(attempt, facts, verdict, paidAt),
  };
}

function outcomeOf(verdict: SaleVerdict, write: SaleToWrite, written: WrittenSale): SaleOutcome {
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
      click_age_days: verdict.is === 'outside_window' ? verdict.clickAgeDays : undefined,
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
    createdAt: paidAt,
  };
}
