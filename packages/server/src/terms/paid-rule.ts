import type { CommissionType } from '@svc/contract';
import { describeCommission } from '../programs/describe-commission.ts';

/** What is stored about the rule that paid a commission. */
export type PaidRule = {
  termsVersion: number | null;
  rule: number | null;
  /** What the rule says. Null if it is the commission settings, or not known. */
  ruleDescription: string | null;
  commissionType: CommissionType;
  commissionRate: string;
  currency: string;
  recurringMonths: number | null;
};

/** `rule 3 of version 7: group Gold, 25%`. Terms that are only proposed have no version. */
export function nameRule(rule: number, version: number | null, description: string): string {
  return `rule ${rule}${version === null ? '' : ` of version ${version}`}: ${description}`;
}

/** Which rule paid a commission. Commissions of earlier releases, and those made by hand, follow none. */
export function describePaidRule(paid: PaidRule): string | null {
  const { termsVersion, rule, ruleDescription } = paid;
  if (termsVersion === null || rule === null) return null;
  return nameRule(rule, termsVersion, ruleDescription ?? describeCommission(paid));
}
