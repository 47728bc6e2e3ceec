import { divideHalfUp } from '../terms/half-up.ts';

/** The total to deduct from a commission once `refundedCents` of the sale's amount are refunded. */
export function deductionFor(commissionCents: number, refundedCents: number, amountCents: number): number {
  return Number(divideHalfUp(BigInt(commissionCents) * BigInt(refundedCents), BigInt(amountCents)));
}

/**
 * How much of the sale's amount takes commission with it. Tax that was given back beyond its share takes none, until everything
 * is refunded.
 */
export function reversedShare(sale: { amountCents: number; refundedCents: number; taxOnlyCents: number }): number {
  const { amountCents, refundedCents, taxOnlyCents } = sale;
  if (refundedCents === amountCents) return amountCents;
  return Math.min(Math.max(refundedCents - taxOnlyCents, 0), amountCents);
}

/** When a commission's hold ends. A day is always 24 hours, regardless of daylight saving time. */
export function holdEnd(soldAt: Date, holdDays: number): Date {
  return new Date(soldAt.getTime() + holdDays * 86_400_000);
}
