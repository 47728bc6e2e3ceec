import type { Reward } from '../terms/reward.ts';
import { holdEnd } from './commission.ts';

const KINDS = { partner: 'sale', recruiter: 'override' } as const;

/** The part of a commission that follows from the terms. */
export function commissionFrom(reward: Reward, terms: { version: number | null; holdDays: number }, paidAt: Date) {
  return {
    kind: KINDS[reward.to],
    partnerId: reward.partnerId,
    commissionType: reward.type,
    commissionRate: reward.rate,
    cents: reward.earned.cents,
    currency: reward.earned.currency,
    approveAfter: holdEnd(paidAt, terms.holdDays),
    termsVersion: terms.version,
    rule: reward.rule,
  };
}
