import {
  type Beneficiary,
  COMMISSION_TYPE_NAMES,
  COMMISSION_TYPES,
  type CommissionBase,
  type CommissionType,
  type TermsRule,
} from '@svc/contract';
import { commissionFor, type Earned, earnsCommission } from './earning.ts';
import { isNewCustomer, matchRule, type RewardFacts } from './rule-match.ts';
import type { Terms } from './terms.ts';

/** What caps counted for the beneficiary before, in the currency of the reward. */
export type Used = { customer: bigint; month: bigint };
export type UsedOf = (to: Beneficiary, partnerId: number, currency: string) => Used;

/** What the terms pay to one beneficiary. */
export type Reward = {
  to: Beneficiary;
  partnerId: number;
  /** The rule of the version, from 1. The program's own commission settings count as the last rule. */
  rule: number;
  type: CommissionType;
  rate: string;
  base: CommissionBase;
  earned: Earned;
  /** Which running counts it adds to, because its rule has such a cap. */
  counts: { customer: boolean; month: boolean };
  /** What was counted before, if it adds to a count. */
  used: Used | null;
  /** Whether a cap took something away. */
  isCapped: boolean;
};

/** What a new customer is granted. */
export type Credit = { cents: number; currency: string; rule: number };

export type Rewards = {
  /** Null if the terms pay the partner nothing for it. */
  own: Reward | null;
  /** What the recruiter of the partner gets, where a rule says so. */
  override: Reward | null;
  credit: Credit | null;
};

const NOTHING_USED: Used = { customer: 0n, month: 0n };

/** Applies a version of the terms: the first rule that matches pays its beneficiary, never above its caps. */
export function rewardsFor(terms: Terms, facts: RewardFacts, usedOf: UsedOf = () => NOTHING_USED): Rewards {
  const number = matchRule(terms.rules, facts, 'partner');
  const own =
    number === null ? rewardBySettings(terms, facts) : rewardByRule(terms, facts, number, facts.partnerId, usedOf);
  const { recruiterId } = facts;
  const forRecruiter = recruiterId === null ? null : matchRule(terms.rules, facts, 'recruiter');
  const override =
    forRecruiter === null || recruiterId === null
      ? null
      : rewardByRule(terms, facts, forRecruiter, recruiterId, usedOf);
  return { own, override, credit: number === null ? null : creditOf(terms, facts, number) };
}

/** What the commission settings pay where no rule matches. They pay nothing for leads. */
function rewardBySettings(terms: Terms, { sale, period, firstSaleAt, at, partnerId }: RewardFacts): Reward | null {
  if (sale === null || !earnsCommission(terms, period, firstSaleAt, at)) return null;
  return {
    to: 'partner',
    partnerId,
    rule: lastRule(terms),
    type: terms.type,
    rate: terms.rate,
    base: terms.base,
    earned: commissionFor(terms, sale),
    counts: { customer: false, month: false },
    used: null,
    isCapped: false,
  };
}

/** The number of the program's own commission settings, which come after all rules. */
export function lastRule({ rules }: Pick<Terms, 'rules'>): number {
  return rules.length + 1;
}

function rewardByRule(terms: Terms, facts: RewardFacts, number: number, partnerId: number, usedOf: UsedOf): Reward {
  const rule = terms.rules[number - 1]!;
  const to = rule.pays.to ?? 'partner';
  const paid = payOf(terms, rule);
  const due = commissionFor(
    { type: paid.type, rate: paid.rate, base: paid.base, currency: terms.currency },
    facts.sale ?? { amountCents: 0, currency: terms.currency },
  );
  const counts = countsOf(rule);
  const used = counts.customer || counts.month ? usedOf(to, partnerId, due.currency) : null;
  const cents = leastOf(due.cents, roomsOf(rule, used ?? NOTHING_USED));
  return {
    to,
    partnerId,
    rule: number,
    ...paid,
    earned: { cents, currency: due.currency },
    counts,
    used,
    isCapped: cents < due.cents,
  };
}

/** The commission type, rate and base that a rule amounts to. */
function payOf(terms: Terms, { pays, base }: TermsRule): Pick<Terms, 'type' | 'rate' | 'base'> {
  const type = COMMISSION_TYPE_NAMES.find(
    (name) =>
      COMMISSION_TYPES[name].basis === pays.type && COMMISSION_TYPES[name].renewals === (pays.renewals ?? false),
  );
  return { type: type!, rate: pays.rate.toFixed(4), base: base ?? terms.base };
}

/** Which running counts a rule needs for its caps. */
export function countsOf({ caps }: TermsRule): Reward['counts'] {
  return { customer: caps?.per_customer_cents !== undefined, month: caps?.per_partner_month_cents !== undefined };
}

/** What each cap of the rule leaves. */
function roomsOf({ caps }: TermsRule, used: Used): bigint[] {
  const { per_sale_cents: perSale, per_customer_cents: perCustomer, per_partner_month_cents: perMonth } = caps ?? {};
  return [
    ...(perSale === undefined ? [] : [BigInt(perSale)]),
    ...(perCustomer === undefined ? [] : [BigInt(perCustomer) - used.customer]),
    ...(perMonth === undefined ? [] : [BigInt(perMonth) - used.month]),
  ];
}

function leastOf(cents: bigint, rooms: bigint[]): bigint {
  const least = rooms.reduce((smallest, room) => (room < smallest ? room : smallest), cents);
  return least < 0n ? 0n : least;
}

function creditOf(terms: Terms, facts: RewardFacts, number: number): Credit | null {
  const credit = terms.rules[number - 1]!.credit;
  if (!credit || !isNewCustomer(facts)) return null;
  return { cents: credit.amount_cents, currency: terms.currency, rule: number };
}
