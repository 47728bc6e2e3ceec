import { deductionFor } from '../commissions/commission.ts';

export type NewRefund = {
  transactionId: string;
  /** Absent or 0: all that is left. */
  amountCents: number | undefined;
  reason: string | undefined;
  /** The caller's own id, which makes the refund safe to resend. */
  refundKey: string | undefined;
  additionalData?: Record<string, unknown>;
  requestId: string | null;
};

/** A locked sale: no other refund changes it meanwhile. */
export type RefundableSale = {
  id: number;
  customerId: number | null;
  partnerId: number | null;
  amountCents: number;
  refundedCents: number;
  /** What the advertiser itself reported. The payment processor may have reported the same money, or more. */
  reportedCents: number;
  currency: string;
  isTest: boolean;
  commission: { id: number; cents: number; deductedCents: number; stage: string } | null;
};

export type ReversalStatus = 'reversed' | 'partially_reversed' | 'no_commission';
/** `restored` is what a payment processor gave back. */
export type RefundStatus = ReversalStatus | 'restored';

export type EarlierRefund = {
  refundId: string;
  amountCents: number;
  deductionCents: number;
  status: RefundStatus;
};

export type RefundVerdict =
  | { is: 'refused'; reason: 'refund_too_large'; leftCents: number }
  | { is: 'repeated'; reason: 'already_refunded' | 'refund_repeated'; earlier: EarlierRefund }
  | {
      is: 'recorded';
      reason: RefundReason | 'refund_known';
      status: ReversalStatus;
      /** What the sale loses now. */
      amountCents: number;
      deductionCents: number;
      reportedCents: number;
    };

export type RefundOutcome =
  | {
      is: 'recorded';
      refundId: string;
      saleId: number;
      commissionId: number | null;
      status: ReversalStatus | 'already_refunded';
      refundedCents: number;
      deductionCents: number;
      currency: string;
    }
  | { is: 'refused'; reason: 'sale_not_found' }
  | { is: 'refused'; reason: 'refund_too_large'; leftCents: number };

type RefundReason = 'commission_reversed' | 'commission_partially_reversed' | 'refund_without_commission';

/** Whether it asks for everything again that was reported already, in words or by naming the whole amount. */
export function repeatsFullRefund(refund: Pick<NewRefund, 'amountCents'>, sale: RefundableSale): boolean {
  const wantsAll = !refund.amountCents || refund.amountCents === sale.amountCents;
  return wantsAll && sale.reportedCents === sale.amountCents;
}

/** What a refund does to the sale and, in the same proportion, to its commission. */
export function judgeRefund(refund: NewRefund, sale: RefundableSale, earlier: EarlierRefund | null): RefundVerdict {
  if (earlier) {
    const reason = repeatsFullRefund(refund, sale) ? 'already_refunded' : 'refund_repeated';
    return { is: 'repeated', reason, earlier };
  }
  const leftCents = sale.amountCents - sale.reportedCents;
  const reportedCents = refund.amountCents || leftCents;
  if (reportedCents > leftCents) return { is: 'refused', reason: 'refund_too_large', leftCents };

  const amountCents = Math.max(sale.reportedCents + reportedCents - sale.refundedCents, 0);
  const taken = takenBack(sale, amountCents);
  return { is: 'recorded', ...taken, reason: amountCents === 0 ? 'refund_known' : taken.reason, reportedCents };
}

export type TotalVerdict =
  | { is: 'unchanged' }
  | {
      is: 'changed';
      reason: RefundReason | 'refund_restored';
      status: RefundStatus;
      amountCents: number;
      deductionCents: number;
    };

/** What has to change on a sale of which `totalCents` are taken back in all; less than before gives the rest back. */
export function judgeTotal(sale: RefundableSale, totalCents: number): TotalVerdict {
  const amountCents = Math.min(totalCents, sale.amountCents) - sale.refundedCents;
  if (amountCents === 0) return { is: 'unchanged' };
  const change = takenBack(sale, amountCents);
  if (amountCents > 0) return { is: 'changed', ...change };
  return { is: 'changed', ...change, reason: 'refund_restored', status: 'restored' };
}

function takenBack(sale: RefundableSale, amountCents: number) {
  const { commission } = sale;
  if (!commission || commission.stage === 'rejected') {
    return {
      reason: 'refund_without_commission' as const,
      status: 'no_commission' as const,
      amountCents,
      deductionCents: 0,
    };
  }
  const refundedCents = sale.refundedCents + amountCents;
  const deductionCents = deductionFor(commission.cents, refundedCents, sale.amountCents) - commission.deductedCents;
  return refundedCents === sale.amountCents
    ? { reason: 'commission_reversed' as const, status: 'reversed' as const, amountCents, deductionCents }
    : {
        reason: 'commission_partially_reversed' as const,
        status: 'partially_reversed' as const,
        amountCents,
        deductionCents,
      };
}
