import type { RefundableSale } from './refund.ts';

type Disputed = { disputedCents: number; hasOpenDispute: boolean; lostDisputes: string[] };

/** Names what happened to a sale after its disputes; null if refunds, or nothing, changed it. */
export function disputeReason(
  sale: Pick<RefundableSale, 'disputedCents'>,
  /** By how much more of the sale is taken back than before. */
  amountCents: number,
  { disputedCents, hasOpenDispute, lostDisputes }: Disputed,
): 'payment_disputed' | 'dispute_won' | 'dispute_lost' | null {
  const change = disputedCents - sale.disputedCents;
  // The workspace may have reported part of the money itself, so a dispute can change less than its own amount.
  if (change > 0 && amountCents >= 0 && change >= amountCents) {
    return hasOpenDispute ? 'payment_disputed' : 'dispute_lost';
  }
  if (change < 0 && amountCents <= 0 && change <= amountCents) return 'dispute_won';
  return amountCents === 0 && lostDisputes.length > 0 ? 'dispute_lost' : null;
}
