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
} from './refund.ts';
import { refundDecision } from './refund-decision.ts';
import type { NewRefundRow } from './refund-store.ts';

export type RefundAttempt = { program: Program; refund: NewRefund };

/** A locked sale with the refunds that a new one could repeat. */
export type SaleAccount = {
  sale: RefundableSale;
  byKey: Map<string, EarlierRefund>;
  /** The last refund, with amounts of zero: whoever repeats it takes nothing more. */
  last: EarlierRefund | null;
};

export type JudgedRefund = { outcome: RefundOutcome; decision: Decision; row: NewRefundRow | null };

/** Judges refunds one after the other. Each sees its sale as the refunds before it left it. */
export function judgeRefunds(
  attempts: RefundAttempt[],
  accountOf: (attempt: RefundAttempt) => SaleAccount | null,
  /** An id for each, should it be recorded. */
  ids: number[],
  now: Date,
): JudgedRefund[] {
  return attempts.map((attempt, index) => {
    const { program, refund } = attempt;
    const account = accountOf(attempt);
    if (!account) {
      const decision = refundDecision(program, refund, null, null, now);
      return { outcome: { is: 'refused', reason: 'sale_not_found' }, decision, row: null };
    }
    const { sale } = account;
    const verdict = judgeRefund(refund, sale, findEarlier(account, refund));
    const decision = refundDecision(program, refund, sale, verdict, now);
    if (verdict.is === 'refused') return { outcome: verdict, decision, row: null };
    if (verdict.is === 'repeated') {
      // Only a full refund that is repeated can follow one that the processor gave back.
      const { status: earlier } = verdict.earlier;
      const isAlready = verdict.reason === 'already_refunded' || earlier === 'restored';
      const status = isAlready ? 'already_refunded' : earlier;
      return { outcome: { ...answer(sale, verdict.earlier), status }, decision, row: null };
    }
    const row = refundRow(attempt, ids[index]!, sale.id, verdict, now);
    const recorded = { ...verdict, refundId: row.refundKey ?? `refund_${row.id}` };
    account.sale = saleAfter(sale, verdict);
    account.last = { ...recorded, amountCents: 0, deductionCents: 0 };
    if (row.refundKey !== null) account.byKey.set(row.refundKey, recorded);
    const status = isKnownInFull(verdict, sale) ? 'already_refunded' : verdict.status;
    return { outcome: { ...answer(sale, recorded), status }, decision, row };
  });
}

function answer(sale: RefundableSale, { refundId, amountCents, deductionCents }: EarlierRefund) {
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

/** Whether the payment processor had reported already that all is refunded. */
function isKnownInFull(verdict: RefundVerdict & { is: 'recorded' }, sale: RefundableSale): boolean {
  return verdict.reason === 'refund_known' && sale.refundedCents === sale.amountCents;
}

/** The refund that this one repeats, if any: by its own id, or, for a sale that is refunded in full, the last one. */
function findEarlier({ sale, byKey, last }: SaleAccount, refund: NewRefund): EarlierRefund | null {
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

/** What has been taken back of the sale's commission in all. A rejected commission has nothing left to take. */
export function deductionsOf({ commission, refundedCents, amountCents }: RefundableSale): Deduction[] {
  if (!commission || commission.stage === 'rejected') return [];
  return [
    {
      commissionId: commission.id,
      deductedCents: commission.deductedCents,
      reversal: reversalOf(refundedCents, amountCents),
    },
  ];
}
