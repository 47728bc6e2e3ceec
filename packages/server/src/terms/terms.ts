import type { CommissionBase, CommissionType } from '@svc/contract';
import type { Program } from '../programs/program.ts';

/** One version of what a program pays. A version never changes. */
export type Terms = {
  version: number;
  /** Since when it is in force. The first version also covers payments from before the program existed. */
  since: Date;
  type: CommissionType;
  /** A decimal with up to four places: percent of the base, or whole units of `currency`. */
  rate: string;
  currency: string;
  recurringMonths: number | null;
  holdDays: number;
  base: CommissionBase;
};

/** The version that is in force now. */
export function currentTerms(program: Program): Terms {
  return {
    version: program.termsVersion,
    since: program.termsSince,
    type: program.commissionType,
    rate: program.commissionRate,
    currency: program.currency,
    recurringMonths: program.recurringMonths,
    holdDays: program.holdDays,
    base: program.commissionBase,
  };
}

/** What was paid, and how much of it is tax and shipping, as far as it was reported. */
export type PaidAmount = { amountCents: number; taxCents?: number | null; shippingCents?: number | null };

const BASE_CENTS: Record<CommissionBase, (paid: PaidAmount) => number> = {
  gross: ({ amountCents }) => amountCents,
  net: ({ amountCents, taxCents, shippingCents }) => amountCents - (taxCents ?? 0) - (shippingCents ?? 0),
};

/** The part of the amount that percentages are computed from. */
export function baseCents(base: CommissionBase, paid: PaidAmount): number {
  return BASE_CENTS[base](paid);
}
