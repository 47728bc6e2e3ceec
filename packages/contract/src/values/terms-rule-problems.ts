import { COMMISSION_BASES } from './commission-types.ts';
import type { TermsRule } from './terms-rule.ts';

/** What is wrong with a field of a rule, which is counted from 1. */
export type RuleProblem = { rule: number; field: string; problem: string };
type Problem = Omit<RuleProblem, 'rule'>;

/** What a lead does not have, so that a rule about it would never match or mean nothing. */
const NOT_OF_LEADS: [field: string, isNamed: (rule: TermsRule) => boolean][] = [
  ['when.product_id', ({ when }) => when?.product_id !== undefined],
  ['when.coupon', ({ when }) => when?.coupon !== undefined],
  ['when.min_amount_cents', ({ when }) => when?.min_amount_cents !== undefined],
  ['when.customer', ({ when }) => when?.customer !== undefined],
  ['pays.renewals', ({ pays }) => pays.renewals === true],
  ['pays.months', ({ pays }) => pays.months !== undefined],
  ['pays.max_payments', ({ pays }) => pays.max_payments !== undefined],
  ['caps.per_sale_cents', ({ caps }) => caps?.per_sale_cents !== undefined],
  ['base', ({ base }) => base !== undefined],
];

/** What fields cannot be together, in the order of the checks. */
const CONFLICTS: [field: string, problem: string, hasProblem: (rule: TermsRule) => boolean][] = [
  [
    'for',
    'must have either partner_id or group_id',
    (rule) => rule.for !== undefined && (rule.for.partner_id === undefined) === (rule.for.group_id === undefined),
  ],
  [
    'pays.rate',
    `must be at most ${COMMISSION_BASES.percent.maxRate} percent`,
    ({ pays }) => pays.type === 'percent' && pays.rate > COMMISSION_BASES.percent.maxRate,
  ],
  [
    'pays.type',
    'must be fixed for leads, which have no amount',
    ({ on, pays }) => on === 'lead' && pays.type !== 'fixed',
  ],
  ['base', 'does not apply to fixed amounts', ({ base, pays }) => base !== undefined && pays.type === 'fixed'],
  [
    'pays.max_payments',
    'can never match: the first payment is never of a returning customer',
    ({ when, pays }) => when?.customer === 'returning' && pays.max_payments === 1,
  ],
  ['credit', 'is only for new customers', ({ when, credit }) => credit !== undefined && when?.customer === 'returning'],
  [
    'credit',
    'goes with what the partner earns, not the recruiter',
    ({ pays, credit }) => credit !== undefined && pays.to === 'recruiter',
  ],
];

/** Everything that keeps rules from working together, in the order of the rules. */
export function listRuleProblems(rules: TermsRule[]): RuleProblem[] {
  return rules.flatMap((rule, index) => {
    const problem = problemOf(rule) ?? shadowOf(rules, index);
    return problem === null ? [] : [{ rule: index + 1, ...problem }];
  });
}

function problemOf(rule: TermsRule): Problem | null {
  const [field, problem] = CONFLICTS.find(([, , hasProblem]) => hasProblem(rule)) ?? [];
  if (field && problem) return { field, problem };
  const [notOfLeads] = (rule.on === 'lead' && NOT_OF_LEADS.find(([, isNamed]) => isNamed(rule))) || [];
  return notOfLeads ? { field: notOfLeads, problem: 'does not apply to leads' } : null;
}

/** A rule after one that fits everything that it fits can never match. */
function shadowOf(rules: TermsRule[], index: number): Problem | null {
  const first = rules.findIndex((rule, earlier) => earlier < index && covers(rule, rules[index]!));
  return first === -1 ? null : { field: 'on', problem: `can never match: rule ${first + 1} matches first` };
}

/** Whether the first rule matches everything that the second one matches. */
export function covers(a: TermsRule, b: TermsRule): boolean {
  return (
    a.on === b.on &&
    (a.pays.to ?? 'partner') === (b.pays.to ?? 'partner') &&
    isFreeOr(a.for?.partner_id, b.for?.partner_id) &&
    isFreeOr(a.for?.group_id, b.for?.group_id) &&
    isFreeOr(a.when?.product_id, b.when?.product_id) &&
    isFreeOr(a.when?.coupon?.toLowerCase(), b.when?.coupon?.toLowerCase()) &&
    isFreeOr(a.when?.customer, b.when?.customer) &&
    (a.when?.min_amount_cents ?? 0) <= (b.when?.min_amount_cents ?? 0) &&
    (a.pays.months ?? Infinity) >= (b.pays.months ?? Infinity) &&
    (a.pays.max_payments ?? Infinity) >= (b.pays.max_payments ?? Infinity) &&
    (a.pays.renewals === true || b.pays.renewals !== true) &&
    // A change of a subscription earns percent, and no fixed amount.
    (a.pays.type === 'percent' || b.pays.type === 'fixed')
  );
}

/** Whether a condition fits everything, or the same as the other one. */
function isFreeOr<Value>(condition: Value | undefined, other: Value | undefined): boolean {
  return condition === undefined || condition === other;
}
