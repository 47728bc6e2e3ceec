import type { CommissionBase } from '@svc/contract';
import { deductionFor, reversedShare } from '../commissions/commission.ts';

export type NewRefund = {
  transactionId: string;
  /** Absent or 0: everything not refunded yet. */
  amountCents: number | undefined;
  reason: string | undefined;
  /** The caller's own id, which makes resending the refund safe. */
  refundKey: string | undefined;
  /** Sent in test mode: it means the test sale, if there is also a real one under the id. */
  prefersTest?: boolean;
  /** Sent with a test key: it never means a real sale. */
  onlyTest?: boolean;
  additionalData?: Record<string, unknown>;
  requestId: string | null;
};

export type RefundableCommission = { id: number; cents: number; deductedCents: number; stage: string };

/** A locked sale: no other refund changes it in the meantime. */
export type RefundableSale = {
  id: number;
  customerId: number | null;
  partnerId: number | null;
  amountCents: number;
  refundedCents: number;
  /** The part of it that is disputed at the payment processor. */
  disputedCents: number;
  taxCents: number | null;
  /** Whether commissions are on the net amount or on all that was paid. */
  base: CommissionBase;
  /** How much of the refunded amount is tax beyond its share. It takes nothing from commissions on the net amount. */
  taxOnlyCents: number;
  /** What the workspace itself reported. The payment processor may have reported the same money, or more. */
  reportedCents: number;
  currency: string;
  isTest: boolean;
  commission: RefundableCommission | null;
  /** What others are paid for the sale. A refund takes the same share of it. */
  overrides: (RefundableCommission & { partnerId: number; currency: string })[];
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
      /** What this refund adds to the refunded amount of the sale. */
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

/** Whether it asks for a full refund, by omitting the amount or sending it, after a full one was reported. */
export function repeatsFullRefund(refund: Pick<NewRefund, 'amountCents'>, sale: RefundableSale): boolean {
  const isFullRefund = !refund.amountCents || refund.amountCents === sale.amountCents;
  return isFullRefund && sale.reportedCents === sale.amountCents;
}

/** Decides what a refund changes about the sale and, in the same proportion, about its commission. */
export function judgeRefund(refund: NewRefund, sale: RefundableSale, earlier: EarlierRefund | null): RefundVerdict {
  if (earlier) {
    const reason = repeatsFullRefund(refund, sale) ? 'already_refunded' : 'refund_repeated';
    return { is: 'repeated', reason, earlier };
  }
  const leftCents = sale.amountCents - sale.reportedCents;
  const reportedCents = refund.amountCents || leftCents;
  if (reportedCents > leftCents) return { is: 'refused', reason: 'refund_too_large', leftCents };

  const amountCents = Math.max(sale.reportedCents + reportedCents - sale.refundedCents, 0);
  const change = refundChange(sale, amountCents);
  return { is: 'recorded', ...change, reason: amountCents === 0 ? 'refund_known' : change.reason, reportedCents };
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

/** Decides what changes when `totalCents` of a sale are refunded in total. A lower total than before restores the rest. */
export function judgeTotal(
  sale: RefundableSale,
  totalCents: number,
  taxOnlyCents: number = sale.taxOnlyCents,
): TotalVerdict {
  const amountCents = Math.min(totalCents, sale.amountCents) - sale.refundedCents;
  if (amountCents === 0 && taxOnlyCents === sale.taxOnlyCents) return { is: 'unchanged' };
  const change = refundChange({ ...sale, taxOnlyCents }, amountCents);
  if (amountCents >= 0) return { is: 'changed', ...change };
  return { is: 'changed', ...change, reason: 'refund_restored', status: 'restored' };
}

/** The facts of a decision about what is taken from the overrides on the sale. Left out if there are none. */
export function overrideFacts(sale: RefundableSale, refundCents: number) {
  const after = reversedShareOf(sale, sale.refundedCents + refundCents);
  const deductions = sale.overrides
    .filter(({ stage }) => stage !== 'rejected')
    .map(({ id, partnerId, cents, deductedCents, currency }) => {
      const deducted = deductionFor(cents, after, sale.amountCents) - deductedCents;
      return { commission_id: id, partner_id: partnerId, deduction_cents: deducted, currency };
    });
  return { override_deductions: deductions.length > 0 ? deductions : undefined };
}

/** How much of the sale's amount takes commission with it once this much is refunded. */
export function reversedShareOf({ amountCents, base, taxOnlyCents }: RefundableSale, refundedCents: number): number {
  return reversedShare({ amountCents, refundedCents, taxOnlyCents: base === 'net' ? taxOnlyCents : 0 });
}

function refundChange(sale: RefundableSale, amountCents: number) {
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
  const share = reversedShareOf(sale, refundedCents);
  const deductionCents = deductionFor(commission.cents, share, sale.amountCents) - commission.deductedCents;
  return refundedCents === sale.amountCents
    ? { reason: 'commission_reversed' as const, status: 'reversed' as const, amountCents, deductionCents }
    : {
        reason: 'commission_partially_reversed' as const,
        status: 'partially_reversed' as const,
        amountCents,
        deductionCents,
      };
}
