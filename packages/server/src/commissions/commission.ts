import { divideHalfUp } from '../terms/half-up.ts';

/** The total to deduct from a commission once `refundedCents` of the sale's amount are refunded. */
export function deductionFor(commissionCents: number, refundedCents: number, amountCents: number): number {
  return Number(divideHalfUp(BigInt(commissionCents) * BigInt(refundedCents), BigInt(amountCents)));
}

/** When a commission's hold ends. A day is always 24 hours, regardless of daylight saving time. */
export function holdEnd(soldAt: Date, holdDays: number): Date {
  return new Date(soldAt.getTime() + holdDays * 86_400_000);
}
