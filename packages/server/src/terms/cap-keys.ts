import { type CapKey, type CapPlace, keyOf } from './cap-book.ts';
import type { RewardFacts } from './rule-match.ts';
import type { Terms } from './terms.ts';
import { needsOf } from './terms-needs.ts';

/** Every count that the rules of a version could add to, whichever of them matches in the end. */
export function capKeysOf(terms: Terms, facts: RewardFacts, place: CapPlace): CapKey[] {
  const needs = needsOf(terms, facts.sale ? 'sale' : 'lead');
  const scopes = [
    ...(needs.customerCount ? (['customer'] as const) : []),
    ...(needs.monthCount ? (['month'] as const) : []),
  ];
  const partners = [facts.partnerId, facts.recruiterId].filter((id) => id !== null);
  const currencies = new Set([terms.currency, facts.sale?.currency ?? terms.currency]);
  return scopes.flatMap((scope) =>
    partners.flatMap((partnerId) => [...currencies].map((currency) => keyOf(place, scope, partnerId, currency))),
  );
}
