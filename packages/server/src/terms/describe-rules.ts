import { couponKey, type DescribedRule, describeRule, errors, type TermsRule } from '@svc/contract';
import { listKnownCodes } from '../coupons/coupon-store.ts';
import type { Queryable } from '../db/db.ts';
import type { Program } from '../programs/program.ts';
import { listRuleNames } from './rule-name-store.ts';

/** The rules with what they say in words. Rules for groups, partners or coupons that the program does not have are refused. */
export async function describeRules(
  db: Queryable,
  { id, currency }: Pick<Program, 'id' | 'currency'>,
  rules: TermsRule[],
): Promise<DescribedRule[]> {
  const { groups, partners } = await listRuleNames(db, id, {
    groupIds: rules.flatMap((rule) => rule.for?.group_id ?? []),
    partnerIds: rules.flatMap((rule) => rule.for?.partner_id ?? []),
  });
  const coupons = await listKnownCodes(
    db,
    id,
    rules.flatMap(({ when }) => when?.coupon ?? []),
  );
  return rules.map((rule, index) => {
    const coupon = rule.when?.coupon;
    if (coupon !== undefined && !coupons.has(couponKey(coupon))) {
      throw errors.ruleRefersToNothing(index + 1, 'when.coupon', coupon);
    }
    const { group_id: groupId, partner_id: partnerId } = rule.for ?? {};
    if (groupId !== undefined && !groups.has(groupId)) {
      throw errors.ruleRefersToNothing(index + 1, 'for.group_id', groupId);
    }
    if (partnerId !== undefined && !partners.has(partnerId)) {
      throw errors.ruleRefersToNothing(index + 1, 'for.partner_id', partnerId);
    }
    return { ...rule, description: describeRule(rule, { currency, groups, partners }) };
  });
}
