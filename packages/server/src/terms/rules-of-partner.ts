import type { DescribedRule } from '@svc/contract';
import { isForPartner, type RewardFacts } from './rule-match.ts';

/** What decides which rules can pay a partner. */
type Standing = Pick<RewardFacts, 'partnerId' | 'groupId'>;
/** The partner, and those whom the partner recruited. */
type Recruiter = Standing & { recruits: Standing[] };

/** A rule with its number in the version. */
type NumberedRule = { rule: number; description: string };

/** The rules that can pay a partner: those for everyone, for their group or for them, and what their recruits bring. */
export function rulesOfPartner(rules: DescribedRule[], partner: Recruiter): NumberedRule[] {
  return rules.flatMap((rule, index) => {
    const sellers = rule.pays.to === 'recruiter' ? partner.recruits : [partner];
    return sellers.some((seller) => isForPartner(rule, seller))
      ? [{ rule: index + 1, description: rule.description }]
      : [];
  });
}
