import type { ProcessorFact } from '../processor-fact.ts';

/**
 * Marks the ids of customers, subscriptions and discounts in a fact as those of one processor. Ids of payments stay as they are:
 * a sale that the shop reports under the same id counts once.
 */
export function prefixReferences(fact: ProcessorFact, prefix: string): ProcessorFact {
  const prefixed = (ids: string[]) => ids.map((id) => `${prefix}${id}`);
  switch (fact.kind) {
    case 'payment': {
      const { evidence, discountIds } = fact;
      const references = prefixed(evidence.references);
      return {
        ...fact,
        evidence: { ...evidence, references },
        ...(discountIds && { discountIds: prefixed(discountIds) }),
      };
    }
    case 'identity':
      return { ...fact, evidence: { ...fact.evidence, references: prefixed(fact.evidence.references) } };
    case 'promotion_code':
      return { ...fact, reference: `${prefix}${fact.reference}` };
    default:
      return fact;
  }
}
