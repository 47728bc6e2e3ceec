import type { Attribution, CommissionBase, CommissionType, DescribedRule } from '@svc/contract';
import { type Program, rulesInForce } from '../programs/program.ts';

/** One version of what a program pays. A version never changes. */
export type Terms = {
  version: number;
  /** Since when it is in force. The first version also covers payments from before the program existed. */
  since: Date;
  /** Tried in order. If none matches, the partner gets what the fields below say. */
  rules: DescribedRule[];
  type: CommissionType;
  /** A decimal with up to four places: percent of the base, or whole units of `currency`. */
  rate: string;
  currency: string;
  recurringMonths: number | null;
  holdDays: number;
  base: CommissionBase;
  /** Which click of a visitor is credited. */
  attribution: Attribution;
};

/** The version that is in force at a time after the row of the program was read. */
export function currentTerms(program: Program, now: Date): Terms {
  const begun = program.scheduledTerms.findLast(({ since }) => new Date(since) <= now);
  return {
    version: begun?.version ?? program.termsVersion,
    since: begun ? new Date(begun.since) : program.termsSince,
    rules: rulesInForce(program, now),
    type: program.commissionType,
    rate: program.commissionRate,
    currency: program.currency,
    recurringMonths: program.recurringMonths,
    holdDays: program.holdDays,
    base: program.commissionBase,
    attribution: begun?.attribution ?? program.attribution,
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
