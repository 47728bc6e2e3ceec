import { deductionFor } from './commission.ts';

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

/** The sale as it stands, held so that nobody else refunds it meanwhile. */
export type RefundableSale = {
  id: number;
  customerId: number | null;
  partnerId: number | null;
  amountCents: number;
  refundedCents: number;
  currency: string;
  isTest: boolean;
  commission: { id: number; cents: number; deductedCents: number; stage: string } | null;
};

export type RefundStatus = 'reversed' | 'partially_reversed' | 'no_commission';

export type EarlierRefund = {
  refundKey: string;
  amountCents: number;
  deductionCents: number;
  status: RefundStatus;
};

export type RefundVerdict =
  | { is: 'refused'; reason: 'refund_too_large'; leftCents: number }
  | { is: 'repeated'; reason: 'already_refunded' | 'refund_repeated'; earlier: EarlierRefund }
  | { is: 'recorded'; reason: RefundReason; status: RefundStatus; amountCents: number; deductionCents: number };

type RefundReason = 'commission_reversed' | 'commission_partially_reversed' | 'refund_without_commission';

/** What a refund does to the sale and, in the same proportion, to its commission. */
export function judgeRefund(refund: NewRefund, sale: RefundableSale, earlier: EarlierRefund | null): RefundVerdict {
  const leftCents = sale.amountCents - sale.refundedCents;
  const wantsAll = !refund.amountCents;
  if (earlier) {
    const isFull = wantsAll && leftCents === 0;
    return { is: 'repeated', reason: isFull ? 'already_refunded' : 'refund_repeated', earlier };
  }

  const amountCents = refund.amountCents || leftCents;
  if (amountCents > leftCents) return { is: 'refused', reason: 'refund_too_large', leftCents };

  const { commission } = sale;
  if (!commission || commission.stage === 'rejected') {
    const reason = 'refund_without_commission';
    return { is: 'recorded', reason, status: 'no_commission', amountCents, deductionCents: 0 };
  }
  const refundedCents = sale.refundedCents + amountCents;
  const deductionCents = deductionFor(commission.cents, refundedCents, sale.amountCents) - commission.deductedCents;
  return refundedCents === sale.amountCents
    ? { is: 'recorded', reason: 'commission_reversed', status: 'reversed', amountCents, deductionCents }
    : {
        is: 'recorded',
        reason: 'commission_partially_reversed',
        status: 'partially_reversed',
        amountCents,
        deductionCents,
      };
}
