import type { Beneficiary } from '@svc/contract';
import type { Period } from './earning.ts';
import type { Reward, Used, UsedOf } from './reward.ts';
import type { RewardFacts } from './rule-match.ts';

/** What a sale or lead keeps of the facts that its own row does not have, so that the terms can be applied to it again. */
export type StoredFacts = {
  period: Period;
  first_sale_at?: string;
  /** Set when this became known only after the sale was judged. */
  is_first_sale_learnt?: true;
  payment_number?: number;
  group_id: number;
  recruiter_id?: number;
  coupon?: string;
  /** What the caps had counted before, by beneficiary. */
  used?: Partial<Record<Beneficiary, { customer: number; month: number }>>;
};

export function storedFacts(facts: RewardFacts, rewards: (Reward | null)[]): StoredFacts {
  const used = rewards.flatMap((reward) =>
    reward?.used ? [[reward.to, { customer: Number(reward.used.customer), month: Number(reward.used.month) }]] : [],
  );
  return {
    period: facts.period,
    first_sale_at: facts.firstSaleAt?.toISOString(),
    payment_number: facts.paymentNumber ?? undefined,
    group_id: facts.groupId,
    recruiter_id: facts.recruiterId ?? undefined,
    coupon: facts.sale?.coupon ?? undefined,
    used: used.length > 0 ? Object.fromEntries(used) : undefined,
  };
}

/** The facts that were stored with a sale or lead, put together with its row. */
export function factsFromStored(
  stored: StoredFacts,
  { sale, at, partnerId }: Pick<RewardFacts, 'sale' | 'at' | 'partnerId'>,
): RewardFacts {
  return {
    sale: sale && (sale.coupon === stored.coupon ? sale : { ...sale, coupon: stored.coupon }),
    at,
    partnerId,
    groupId: stored.group_id,
    recruiterId: stored.recruiter_id ?? null,
    period: stored.period,
    firstSaleAt: stored.first_sale_at === undefined ? null : new Date(stored.first_sale_at),
    paymentNumber: stored.payment_number ?? null,
  };
}

/** What the caps had counted when the terms were applied for the first time. */
export function usedFromStored({ used }: StoredFacts): UsedOf {
  return (to): Used => ({ customer: BigInt(used?.[to]?.customer ?? 0), month: BigInt(used?.[to]?.month ?? 0) });
}
