import { canPay, describeOwnRule, type TermsRule } from '@svc/contract';

type Partner = Parameters<typeof canPay>[1];

/** A rule with its number in the version. */
type NumberedRule = { rule: number; description: string };

/** The rules that can pay a partner, as the partner reads them: for everyone, for their group or for them, and what their recruits bring. */
export function rulesOfPartner(rules: TermsRule[], partner: Partner, currency: string): NumberedRule[] {
  return rules.flatMap((rule, index) =>
    canPay(rule, partner) ? [{ rule: index + 1, description: describeOwnRule(rule, currency) }] : [],
  );
}
