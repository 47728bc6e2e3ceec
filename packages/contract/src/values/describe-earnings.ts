import {
  COMMISSION_TYPES,
  COMMISSIONABLE_AMOUNTS,
  type CommissionBase,
  type CommissionBasis,
  type CommissionType,
} from './commission-types.ts';
import { moneyInWords, unitsInWords } from './money.ts';
import type { TermsRule } from './terms-rule.ts';
import { covers } from './terms-rule-problems.ts';

/** The names of what rules refer to. */
export type RuleNames = { currency: string; groups: Map<number, string>; partners: Map<number, string> };

/** What is paid if no rule matches. */
export type CommissionSettings = {
  commission_type: CommissionType;
  commission_rate: number;
  currency: string;
  recurring_months: number | null;
};

/** A rule as its brand reads it: `group Gold earns 30% of each sale, not of renewals, at most $100.00 per sale`. */
export function describeRule(rule: TermsRule, names: RuleNames): string {
  return `${earnerOf(rule, names)}${describePay(rule, names.currency, {
    seller: sellerOf(rule, names),
    month: 'partner and month',
  })}`;
}

/** A rule as a partner reads it whom it can pay: `30% of each sale, not of renewals, at most $100.00 per sale`. */
export function describeOwnRule(rule: TermsRule, currency: string): string {
  const recruited = rule.for ? ' by some of the partners you recruited' : ' by a partner you recruited';
  const seller = rule.pays.to === 'recruiter' ? recruited : '';
  return describePay(rule, currency, { seller, month: 'month' });
}

/** What the commission settings pay: `20% of each sale, not of renewals`. */
export function describeSettings(settings: CommissionSettings): string {
  const { basis, renewals } = COMMISSION_TYPES[settings.commission_type];
  const of = OF[basis];
  const paid = `${amountOf(basis, settings.commission_rate, settings.currency)} ${of} each sale`;
  if (!renewals) return `${paid}, not ${of} renewals`;
  if (settings.recurring_months === null) return `${paid} and renewal`;
  return `${paid}, and ${of} each renewal ${inFirstMonths(settings.recurring_months)}`;
}

/** How many rules a text names before it says how many more there are. */
const MAX_NAMED = 5;

/**
 * What a partner earns, one sentence for sales, one for signups, one for the partners they recruited. The rules are those that
 * can pay the partner, in order. What never applies, because an earlier rule always matches, is left out.
 */
export function describeEarnings(
  rules: TermsRule[],
  settings: CommissionSettings & { commission_base: CommissionBase },
): string[] {
  const { basis, renewals } = COMMISSION_TYPES[settings.commission_type];
  const last: TermsRule = { on: 'sale', pays: { type: basis, rate: settings.commission_rate, renewals } };
  const isShadowed = (rule: TermsRule, index: number) =>
    rules
      .slice(0, index)
      .some((first) => (isOfRecruits(rule) ? covers(first, rule) : covers(seenByPartner(first), seenByPartner(rule))));
  const reached = [...rules, last].filter((rule, index) => !isShadowed(rule, index));
  const words = (rule: TermsRule) =>
    rule === last ? describeSettings(settings) : describeOwnRule(rule, settings.currency);
  const lines = KINDS.flatMap((isOfKind) => {
    const all = reached.filter(isOfKind);
    const more = all.length - MAX_NAMED;
    const named = all.slice(0, MAX_NAMED).map(words).join('; otherwise ');
    return all.length === 0
      ? []
      : [more > 0 ? `${named}; otherwise by ${more} more ${more === 1 ? 'rule' : 'rules'}` : named];
  });
  const isOfBase = reached.some(({ pays, base }) => pays.type === 'percent' && base === undefined);
  return isOfBase ? [...lines, COMMISSIONABLE_AMOUNTS[settings.commission_base].note] : lines;
}

const isOfRecruits = ({ pays }: TermsRule) => pays.to === 'recruiter';

const KINDS: ((rule: TermsRule) => boolean)[] = [
  (rule) => rule.on === 'sale' && !isOfRecruits(rule),
  (rule) => rule.on === 'lead' && !isOfRecruits(rule),
  isOfRecruits,
];

/** A rule as one partner sees it whom it is for: their group is everyone, and a fixed amount leaves nothing for later rules. */
const seenByPartner = ({ for: _, ...rule }: TermsRule): TermsRule => ({
  ...rule,
  pays: { ...rule.pays, type: 'percent' },
});

type Standing = { partnerId: number; groupId: number };

/** Whether a rule is for everyone, for the partner or for their group. */
export function isForPartner(rule: TermsRule, { partnerId, groupId }: Standing): boolean {
  return isFreeOr(rule.for?.partner_id, partnerId) && isFreeOr(rule.for?.group_id, groupId);
}

const isFreeOr = (asked: number | undefined, actual: number) => asked === undefined || asked === actual;

/** Whether a rule can pay a partner: for what they bring, or for what those bring whom they recruited. */
export function canPay(rule: TermsRule, partner: Standing & { recruits: Standing[] }): boolean {
  const sellers = rule.pays.to === 'recruiter' ? partner.recruits : [partner];
  return sellers.some((seller) => isForPartner(rule, seller));
}

const OF: Record<CommissionBasis, string> = { percent: 'of', fixed: 'for' };

function amountOf(basis: CommissionBasis, rate: number, currency: string): string {
  return basis === 'percent' ? `${rate}%` : unitsInWords(rate, currency);
}

/** Who gets what a rule pays; nothing for a rule that pays every partner. */
function earnerOf({ for: audience, pays }: TermsRule, { groups, partners }: RuleNames): string {
  const { partner_id: partnerId, group_id: groupId } = audience ?? {};
  const partner = partnerId === undefined ? null : (partners.get(partnerId) ?? `partner ${partnerId}`);
  if (pays.to === 'recruiter') return partner === null ? 'recruiters earn ' : `the recruiter of ${partner} earns `;
  if (partner !== null) return `${partner} earns `;
  return groupId === undefined ? '' : `group ${groups.get(groupId) ?? groupId} earns `;
}

/** Whose sales a rule for recruiters pays for. */
function sellerOf({ for: audience, pays }: TermsRule, { groups, partners }: RuleNames): string {
  if (pays.to !== 'recruiter') return '';
  const { partner_id: partnerId, group_id: groupId } = audience ?? {};
  if (partnerId !== undefined) return ` by ${partners.get(partnerId) ?? `partner ${partnerId}`}`;
  const group = groupId === undefined ? '' : ` in group ${groups.get(groupId) ?? groupId}`;
  return ` by a partner${group} whom they recruited`;
}

type Wording = { seller: string; month: string };

function describePay(rule: TermsRule, currency: string, { seller, month }: Wording): string {
  const { pays, caps, base, credit } = rule;
  const paid = `${amountOf(pays.type, pays.rate, currency)} ${OF[pays.type]} ${eventOf(rule, currency)}${seller}`;
  const capped = (cents: number | undefined, per: string) =>
    cents === undefined ? null : `at most ${moneyInWords(cents, currency)} per ${per}`;
  const parts = [
    paid,
    rule.on === 'sale' && !pays.renewals ? `not ${OF[pays.type]} renewals` : null,
    pays.months === undefined ? null : `only ${inFirstMonths(pays.months)}`,
    pays.max_payments === undefined
      ? null
      : `only for the first ${counted(pays.max_payments, 'payment')} of a customer`,
    base === undefined ? null : COMPUTED[base],
    capped(caps?.per_sale_cents, 'sale'),
    capped(caps?.per_customer_cents, 'customer'),
    capped(caps?.per_partner_month_cents, month),
    credit ? `with a credit of ${moneyInWords(credit.amount_cents, currency)} for a new customer` : null,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

const COMPUTED: Record<CommissionBase, string> = {
  net: 'computed without tax and shipping',
  gross: 'computed with tax and shipping',
};

/** What a rule pays for, with its conditions: `each sale of $50.00 or more of product Pro to new customers`. */
function eventOf({ on, when, pays }: TermsRule, currency: string): string {
  if (on === 'lead') return 'each confirmed signup';
  const conditions = [
    when?.min_amount_cents === undefined ? '' : ` of ${moneyInWords(when.min_amount_cents, currency)} or more`,
    when?.product_id === undefined ? '' : ` of product ${when.product_id}`,
    when?.coupon === undefined ? '' : ` with coupon ${when.coupon}`,
    when?.customer === undefined ? '' : ` to ${when.customer} customers`,
  ];
  return `each sale${pays.renewals ? ' and renewal' : ''}${conditions.join('')}`;
}

const inFirstMonths = (months: number) => `in the first ${counted(months, 'month')} after the customer’s first sale`;

const counted = (count: number, noun: string) => (count === 1 ? noun : `${count} ${noun}s`);
