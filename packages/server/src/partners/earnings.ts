import { canPay, describeEarnings } from '@svc/contract';
import { type Program, rulesInForce } from '../programs/program.ts';

/** Where a partner stands, as far as rules ask: in which group, and whom they recruited. */
export type Earner = { partnerId: number; groupId: number; recruits: { partnerId: number; groupId: number }[] };

/**
 * What partners of the program earn under the rules in force, in sentences: the same wherever it is said. They are put together once
 * for all partners whom the same rules can pay, such as those of a group.
 */
export function earningsIn(program: Program, now: Date): (partner: Earner) => string[] {
  const rules = rulesInForce(program, now);
  const settings = {
    commission_type: program.commissionType,
    commission_rate: Number(program.commissionRate),
    commission_base: program.commissionBase,
    recurring_months: program.recurringMonths,
    currency: program.currency,
  };
  const known = new Map<string, string[]>();
  return (partner) => {
    const paying = rules.filter((rule) => canPay(rule, partner));
    const key = paying.map((rule) => rules.indexOf(rule)).join();
    const described = known.get(key) ?? describeEarnings(paying, settings);
    known.set(key, described);
    return described;
  };
}
