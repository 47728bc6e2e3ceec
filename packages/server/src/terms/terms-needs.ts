import { countsOf } from './reward.ts';
import type { Terms } from './terms.ts';

/** What the rules of a version ask that only the database can answer once other sales are excluded. */
export type TermsNeeds = {
  /** Which payment of the customer it is. */
  paymentNumber: boolean;
  /** What caps have counted. */
  customerCount: boolean;
  monthCount: boolean;
};

/** Most programs need nothing of it, and their sales cost no further statement. */
export function needsOf({ rules }: Pick<Terms, 'rules'>, on: 'sale' | 'lead'): TermsNeeds {
  const asked = rules.filter((rule) => rule.on === on);
  return {
    paymentNumber: asked.some(
      ({ when, pays, credit }) =>
        when?.customer !== undefined || pays.max_payments !== undefined || credit !== undefined,
    ),
    customerCount: asked.some((rule) => countsOf(rule).customer),
    monthCount: asked.some((rule) => countsOf(rule).month),
  };
}

/** A month in UTC as a number, such as 202607. */
export function monthNumber(at: Date): number {
  return at.getUTCFullYear() * 100 + at.getUTCMonth() + 1;
}
