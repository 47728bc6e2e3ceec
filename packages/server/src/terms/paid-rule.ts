import { type CommissionType, type DescribedRule, describeOwnRule, describeSettings } from '@svc/contract';

/** What is stored about the rule that paid a commission. */
export type PaidRule = {
  termsVersion: number | null;
  rule: number | null;
  /** The rule as it was published. Null if it is the commission settings, or not known. */
  publishedRule: DescribedRule | null;
  commissionType: CommissionType;
  commissionRate: string;
  currency: string;
  recurringMonths: number | null;
};

/** `rule 3 of version 7: group Gold earns 25% of each sale, not of renewals`. Rules that are only proposed have no version. */
export function nameRule(rule: number, version: number | null, description: string): string {
  return `rule ${rule}${version === null ? '' : ` of version ${version}`}: ${description}`;
}

/** Which rule paid a commission, for its brand. Commissions of earlier releases, and those made by hand, follow none. */
export function describePaidRule(paid: PaidRule): string | null {
  const { termsVersion, rule, publishedRule } = paid;
  if (termsVersion === null || rule === null) return null;
  return nameRule(rule, termsVersion, publishedRule?.description ?? settingsOf(paid));
}

/** What a commission was paid for, as its partner reads it: partners know what they earn, but no numbers of rules. */
export function describeOwnPay(paid: PaidRule): string | null {
  const { termsVersion, rule, publishedRule, currency } = paid;
  if (termsVersion === null || rule === null) return null;
  return publishedRule ? describeOwnRule(publishedRule, currency) : settingsOf(paid);
}

function settingsOf({ commissionType, commissionRate, currency, recurringMonths }: PaidRule): string {
  return describeSettings({
    commission_type: commissionType,
    commission_rate: Number(commissionRate),
    currency,
    recurring_months: recurringMonths,
  });
}
