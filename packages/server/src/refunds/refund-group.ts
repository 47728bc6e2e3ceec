import type { CommissionStatus, SaleRow } from '@svc/contract';
import { deductionFor } from '../commissions/commission.ts';
import { reversalOf } from '../commissions/commission-state.ts';
import type { Deduction } from '../commissions/commission-store.ts';
import type { Decision } from '../decisions/decision.ts';
import type { Program } from '../programs/program.ts';
import {
  type EarlierRefund,
  judgeRefund,
  type NewRefund,
  type RefundableSale,
  type RefundOutcome,
  type RefundVerdict,
  repeatsFullRefund,
  reversedShareOf,
} from './refund.ts';
import { refundDecision } from './refund-decision.ts';
import type { NewRefundRow } from './refund-store.ts';

export type RefundAttempt = { program: Program; refund: NewRefund };

/** A locked sale with the refunds that a new one could repeat. */
export type SaleLedger = {
  sale: RefundableSale;
  byKey: Map<string, EarlierRefund>;
  /** The last refund, with amounts of zero: repeating it deducts nothing more. */
  last: EarlierRefund | null;
  /** What callers saw of the sale and its commissions when it was locked: the fields that refunds change. */
  was: { sale: Partial<SaleRow>; commissionStatus: Map<number, CommissionStatus> };
};

export type JudgedRefund = { outcome: RefundOutcome; decision: Decision; row: NewRefundRow | null };

/** Judges refunds in order. Each sees its sale as the refunds before it left it. */
export function judgeRefunds(
  attempts: RefundAttempt[],
  ledgerOf: (attempt: RefundAttempt) => SaleLedger | null,
  /** One id per refund, used if it is recorded. */
  ids: number[],
  now: Date,
): JudgedRefund[] {
  return attempts.map((attempt, index) => {
    const { program, refund } = attempt;
    const ledger = ledgerOf(attempt);
    if (!ledger) {
      const decision = refundDecision(program, refund, null, null, now);
      return { outcome: { is: 'refused', reason: 'sale_not_found' }, decision, row: null };
    }
    const { sale } = ledger;
    const verdict = judgeRefund(refund, sale, findEarlier(ledger, refund));
    const decision = refundDecision(program, refund, sale, verdict, now);
    if (verdict.is === 'refused') return { outcome: verdict, decision, row: null };
    if (verdict.is === 'repeated') {
      // Only a full refund that is repeated can follow one that the processor gave back.
      const { status: earlier } = verdict.earlier;
      const isAlready = verdict.reason === 'already_refunded' || earlier === 'restored';
      const status = isAlready ? 'already_refunded' : earlier;
      return { outcome: { ...outcomeOf(sale, verdict.earlier), status }, decision, row: null };
    }
    const row = refundRow(attempt, ids[index]!, sale.id, verdict, now);
    const recorded = { ...verdict, refundId: row.refundKey ?? `refund_${row.id}` };
    ledger.sale = saleAfter(sale, verdict);
    ledger.last = { ...recorded, amountCents: 0, deductionCents: 0 };
    if (row.refundKey !== null) ledger.byKey.set(row.refundKey, recorded);
    const status = wasFullyRefunded(verdict, sale) ? 'already_refunded' : verdict.status;
    return { outcome: { ...outcomeOf(sale, recorded), status }, decision, row };
  });
}

function outcomeOf(sale: RefundableSale, { refundId, amountCents, deductionCents }: EarlierRefund) {
  return {
    is: 'recorded' as const,
    refundId,
    saleId: sale.id,
    commissionId: sale.commission?.id ?? null,
    refundedCents: amountCents,
    deductionCents,
    currency: sale.currency,
  };
}

/** Whether the payment processor had already reported a full refund. */
function wasFullyRefunded(verdict: RefundVerdict & { is: 'recorded' }, sale: RefundableSale): boolean {
  return verdict.reason === 'refund_known' && sale.refundedCents === sale.amountCents;
}

/** The refund that this one repeats, if any: the one with the same id, or the last one of a fully refunded sale. */
function findEarlier({ sale, byKey, last }: SaleLedger, refund: NewRefund): EarlierRefund | null {
  const sameId = refund.refundKey === undefined ? undefined : byKey.get(refund.refundKey);
  if (sameId) return sameId;
  return repeatsFullRefund(refund, sale) ? last : null;
}

/** The sale after a refund. */
export function saleAfter(
  sale: RefundableSale,
  verdict: { amountCents: number; deductionCents: number; reportedCents: number },
): RefundableSale {
  const { commission } = sale;
  return {
    ...sale,
    refundedCents: sale.refundedCents + verdict.amountCents,
    reportedCents: sale.reportedCents + verdict.reportedCents,
    commission: commission && { ...commission, deductedCents: commission.deductedCents + verdict.deductionCents },
  };
}

function refundRow(
  { program, refund }: RefundAttempt,
  id: number,
  saleId: number,
  verdict: RefundVerdict & { is: 'recorded' },
  now: Date,
): NewRefundRow {
  return {
    id,
    saleId,
    programId: program.id,
    refundKey: refund.refundKey ?? null,
    amountCents: verdict.amountCents,
    deductionCents: verdict.deductionCents,
    status: verdict.status,
    reason: refund.reason ?? null,
    requestId: refund.requestId,
    source: 'api',
    reportedCents: verdict.reportedCents,
    createdAt: now,
  };
}

/** The totals deducted from the sale's commissions. A rejected commission has nothing left to deduct. */
export function deductionsOf(sale: RefundableSale): Deduction[] {
  const { commission, overrides, refundedCents, amountCents } = sale;
  const share = reversedShareOf(sale, refundedCents);
  const reversal = reversalOf(refundedCents, amountCents);
  return [...(commission ? [commission] : []), ...overrides]
    .filter(({ stage }) => stage !== 'rejected')
    .map(({ id, cents }) => {
      return { commissionId: id, deductedCents: deductionFor(cents, share, amountCents), reversal };
    });
}
