import { describeCommission } from '../programs/describe-commission.ts';
import type { Terms } from './terms.ts';

/** What is known of the terms that a sale was judged by. Sales of earlier releases did not keep all of it. */
type KnownTerms = Pick<Terms, 'type' | 'rate' | 'currency' | 'base' | 'recurringMonths'> & {
  version: number | null;
  since: Date | null;
};

/** The terms among the facts of a decision. */
export function termsFacts(terms: KnownTerms) {
  const { type, rate, currency, recurringMonths } = terms;
  return {
    terms_version: terms.version ?? undefined,
    terms_since: terms.since ?? undefined,
    commission: describeCommission({ commissionType: type, commissionRate: rate, currency, recurringMonths }),
    commission_type: type,
    commission_rate: rate,
    commission_base: terms.base,
  };
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

/** The terms in the facts of a decision, in words; null if it was not about terms. */
export function describeTerms(facts: Record<string, unknown>): string | null {
  const { terms_version: version, terms_since: since, commission } = facts;
  if (typeof version !== 'number' || typeof since !== 'string' || typeof commission !== 'string') return null;
  return `Version ${version} of the terms: ${commission}, in force since ${DAY.format(new Date(since))}.`;
}
