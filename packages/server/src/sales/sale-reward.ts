import type { HoldReason } from '@svc/contract';
import { type CapCount, type CapKey, openCapBook } from '../terms/cap-book.ts';
import { capKeysOf } from '../terms/cap-keys.ts';
import { isRepresentable } from '../terms/earning.ts';
import { type Reward, type Rewards, rewardsFor } from '../terms/reward.ts';
import type { RewardFacts } from '../terms/rule-match.ts';
import { needsOf } from '../terms/terms-needs.ts';
import type { JudgedSale, NewSale, SaleAttempt, SaleFacts, SaleVerdict, UnpaidReason } from './sale.ts';
import type { TransactionOwner } from './transaction-store.ts';

/** A judged sale after the duplicate guard. */
export type ClaimedSale = JudgedSale & {
  /** Null if it is not written: refused, or its transaction id was taken. */
  saleId: number | null;
  /** Who has its transaction id, if it was taken from a real sale. */
  owner: TransactionOwner | null;
};

/** A claimed sale with what the terms were asked, what they pay, and what that comes to. */
export type RewardedSale = ClaimedSale & { rewardFacts: RewardFacts; rewards: Rewards; verdict: SaleVerdict };

/** What rules may ask about other sales. It has to be read under a lock, so that sales on all nodes count one after the other. */
export type SaleCounts = {
  /** How many payments each customer has made, where a rule asks for the number of the payment. */
  payments: Map<number, number>;
  /** What caps have counted. */
  caps: CapCount[];
};

/** What the terms pay for each sale, one after the other, and the counts of caps that this changes. */
export function rewardSales(
  claimed: ClaimedSale[],
  counts: SaleCounts,
  /** Whether the commissions could not be created, so that they are owed. */
  isOwing: boolean,
): { rewarded: RewardedSale[]; caps: CapCount[] } {
  const payments = new Map(counts.payments);
  const book = openCapBook(counts.caps);
  const rewarded = claimed.map((sale): RewardedSale => {
    const { attempt, facts, terms, paidAt, refusal } = sale;
    const place = placeOf(sale);
    const isCounted = asksForCounts(sale);
    const number = isCounted ? nextNumber(payments, place.customerId) : null;
    const asked = rewardFacts(attempt, facts, paidAt, number);
    const rewards = rewardsFor(terms, asked, isCounted ? book.usedOf(place) : undefined);
    if (isCounted) book.add(place, rewards);
    const verdict = refusal ?? judgeReward(attempt.sale, facts, rewards);
    return { ...sale, rewardFacts: asked, rewards, verdict: isOwing ? owed(verdict) : verdict };
  });
  return { rewarded, caps: book.changed() };
}

/** Whether a rule asks about other sales before this one is paid. */
export function asksForCounts({ saleId, terms, attempt, facts }: ClaimedSale): boolean {
  if (saleId === null || attempt.sale.isTest || !facts.customer) return false;
  return Object.values(needsOf(terms, 'sale')).some(Boolean);
}

/** The counts of caps that the sale may add to. */
export function capKeysOfSale(sale: ClaimedSale): CapKey[] {
  const { attempt, facts, terms, paidAt } = sale;
  return capKeysOf(terms, rewardFacts(attempt, facts, paidAt), placeOf(sale));
}

const placeOf = ({ attempt, facts, paidAt }: ClaimedSale) => ({
  programId: attempt.program.id,
  customerId: facts.customer?.id ?? 0,
  at: paidAt,
});

/** The number of the customer's next payment. Null if their payments were not counted. */
function nextNumber(payments: Map<number, number>, customerId: number): number | null {
  const before = payments.get(customerId);
  if (before === undefined) return null;
  payments.set(customerId, before + 1);
  return before + 1;
}

/** What the terms may ask about a sale. */
export function rewardFacts(
  { program, sale }: SaleAttempt,
  { customer, groupId, recruiterId, usedCoupon = null }: SaleFacts,
  paidAt: Date,
  paymentNumber: number | null = null,
): RewardFacts {
  return {
    sale: { ...sale, productId: sale.details?.product_id, coupon: usedCoupon },
    at: paidAt,
    partnerId: customer?.partnerId ?? 0,
    groupId: groupId ?? program.defaultGroupId,
    recruiterId: recruiterId === customer?.partnerId ? null : recruiterId,
    period: sale.isRecurring ? 'renewal' : sale.isChange ? 'change' : 'first',
    firstSaleAt: customer?.convertedAt ?? null,
    paymentNumber,
  };
}

/** What a sale that is recorded comes to: partner first, then commission by the terms. */
export function judgeReward(sale: NewSale, facts: SaleFacts, { own }: Pick<Rewards, 'own'>): SaleVerdict {
  if (sale.isTest) return { is: 'recorded', reason: 'test_event', earned: null };
  const unpaid = own === null || own.earned.cents === 0n ? unpaidReason(own, sale) : null;
  const owesCommission = own !== null && unpaid === null && isRepresentable(own.earned);
  if (!facts.partnerExists) return { is: 'unpaid', reason: 'partner_missing', owesCommission };
  if (own === null || unpaid !== null)
    return { is: 'recorded', reason: unpaid ?? 'rule_without_commission', earned: null };
  const { earned } = own;
  // Trying again would change nothing, so it is decided here and never owed.
  if (!owesCommission) return { is: 'recorded', reason: 'commission_too_large', earned: null };
  return facts.isSelfReferral
    ? { is: 'recorded', reason: 'self_referral', earned, holdReason: 'self_referral' }
    : {
        is: 'recorded',
        reason: 'sale_attributed',
        earned,
        holdReason: evidenceToReview({ ...sale, isKeyFromPage: sale.isKeyFromPage || facts.isKeyFromPage }),
      };
}

/** What the sale was matched by, if anyone could have put it there. */
export function evidenceToReview({
  isEmailFromPage,
  isKeyFromPage,
}: Pick<NewSale, 'isEmailFromPage' | 'isKeyFromPage'>): HoldReason | null {
  if (isEmailFromPage) return 'email_from_page';
  return isKeyFromPage ? 'claimed_key' : null;
}

/** The same verdict, if the commission could not be created. */
function owed(verdict: SaleVerdict): SaleVerdict {
  if (verdict.is !== 'recorded' || !verdict.earned) return verdict;
  const { earned, holdReason } = verdict;
  return { is: 'unpaid', reason: 'commission_failed', owesCommission: true, earned, holdReason };
}

/** Why the terms pay no commission; null for one of zero, which is what a percentage of a few cents can come to. */
function unpaidReason(own: Reward | null, { isRecurring, isChange }: NewSale): UnpaidReason | null {
  if (own) return reasonForNothing(own);
  if (isRecurring) return 'renewal_without_commission';
  return isChange ? 'change_without_commission' : 'rule_without_commission';
}

/** Why a rule that matches pays nothing; null if it is a commission of zero. */
export function reasonForNothing({ isCapped, rate }: Reward): 'cap_reached' | 'rule_without_commission' | null {
  if (isCapped) return 'cap_reached';
  return Number(rate) === 0 ? 'rule_without_commission' : null;
}
