import type { CapPlace } from '../../terms/cap-book.ts';
import { commissionFor } from '../../terms/earning.ts';
import { lastRule, type Rewards, rewardsFor, type UsedOf } from '../../terms/reward.ts';
import type { RewardFacts } from '../../terms/rule-match.ts';
import { factsFromStored, usedFromStored } from '../../terms/stored-facts.ts';
import type { Terms } from '../../terms/terms.ts';
import type { SaleOwingCommission } from './owed-commission-store.ts';

/** The terms that an owed commission follows. Sales of earlier releases keep only some of them. */
export type OwedTerms = Omit<Terms, 'version' | 'since'> & { version: number | null; since: Date | null };

export function owedTerms(sale: SaleOwingCommission): OwedTerms {
  if (sale.terms) return { ...sale.terms, since: new Date(sale.terms.since), rate: String(sale.terms.rate) };
  return {
    version: null,
    since: null,
    rules: [],
    type: sale.commissionType,
    rate: sale.commissionRate,
    currency: sale.programCurrency,
    recurringMonths: null,
    holdDays: sale.holdDays,
    base: sale.commissionBase,
    attribution: 'first',
  };
}

/** What the rules may ask about the sale: what was known when it was sold or, after an earlier release, what is known now. */
export function owedFacts(sale: SaleOwingCommission): RewardFacts {
  const row = { sale: { ...sale, coupon: sale.couponCode }, at: sale.createdAt, partnerId: sale.partnerId ?? 0 };
  if (sale.termsFacts) return factsFromStored(sale.termsFacts, row);
  return {
    ...row,
    groupId: sale.groupId ?? sale.defaultGroupId,
    recruiterId: sale.recruiterId,
    period: sale.isRecurring ? 'renewal' : 'first',
    firstSaleAt: sale.firstSaleAt,
    paymentNumber: sale.paymentNumber,
  };
}

export const owedPlace = ({ programId, customerId, createdAt }: SaleOwingCommission): CapPlace => ({
  programId,
  customerId,
  at: createdAt,
});

/** What the sale earns. Its own row says so, unless a rule of the version does. */
export function owedRewards(sale: SaleOwingCommission, usedOf: UsedOf): Rewards {
  const terms = owedTerms(sale);
  const facts = owedFacts(sale);
  if (terms.rules.length > 0) {
    const used = sale.termsFacts?.used ? usedFromStored(sale.termsFacts) : usedOf;
    return rewardsFor({ ...terms, version: terms.version ?? 1, since: terms.since ?? sale.createdAt }, facts, used);
  }
  const paid = { type: sale.commissionType, rate: sale.commissionRate, base: sale.commissionBase };
  const own = {
    to: 'partner' as const,
    partnerId: facts.partnerId,
    rule: lastRule(terms),
    ...paid,
    earned: commissionFor({ ...paid, currency: sale.programCurrency }, sale),
    counts: { customer: false, month: false },
    used: null,
    isCapped: false,
  };
  return { own, override: null, credit: null };
}
