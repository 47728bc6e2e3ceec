import { COMMISSION_BASES } from './commission-types.ts';
import { currencyExponent } from './currencies.ts';
import type { TermsRule } from './terms-rule.ts';

/** The names of what rules refer to. */
export type RuleNames = { currency: string; groups: Map<number, string>; partners: Map<number, string> };

/** A rule in words: `group Gold, product Pro, 25%`. */
export function describeRule(rule: TermsRule, names: RuleNames): string {
  return PARTS.flatMap((part) => part(rule, names) ?? []).join(', ');
}

/** What each part of a rule adds to its description, in order. */
const PARTS: ((rule: TermsRule, names: RuleNames) => string | null)[] = [
  ({ on }) => (on === 'lead' ? 'leads' : null),
  (rule, { partners }) => named('partner', rule.for?.partner_id, partners),
  (rule, { groups }) => named('group', rule.for?.group_id, groups),
  ({ when }) => (when?.product_id === undefined ? null : `product ${when.product_id}`),
  ({ when }) => (when?.coupon === undefined ? null : `coupon ${when.coupon}`),
  ({ when }, { currency }) =>
    when?.min_amount_cents === undefined ? null : `from ${units(when.min_amount_cents, currency)}`,
  ({ when }) => (when?.customer === undefined ? null : `${when.customer} customers`),
  ({ pays }) => (pays.months === undefined ? null : `first ${counted(pays.months, 'month')}`),
  ({ pays }) => (pays.max_payments === undefined ? null : `first ${counted(pays.max_payments, 'payment')}`),
  describePay,
  ({ pays }) => (pays.renewals ? 'with renewals' : null),
  ({ caps }, { currency }) => capped(caps?.per_sale_cents, currency, 'per sale'),
  ({ caps }, { currency }) => capped(caps?.per_customer_cents, currency, 'per customer'),
  ({ caps }, { currency }) => capped(caps?.per_partner_month_cents, currency, 'per partner and month'),
  ({ credit }, { currency }) =>
    credit ? `credit of ${units(credit.amount_cents, currency)} ${currency} for the customer` : null,
];

function describePay({ pays, base }: TermsRule, { currency }: RuleNames): string {
  const amount = COMMISSION_BASES[pays.type].amount(pays.rate, currency);
  const of = base === undefined ? '' : ` of the ${base} amount`;
  return `${amount}${of}${pays.to === 'recruiter' ? ' for the recruiter' : ''}`;
}

function named(kind: string, id: number | undefined, names: Map<number, string>): string | null {
  return id === undefined ? null : `${kind} ${names.get(id) ?? id}`;
}

function capped(cents: number | undefined, currency: string, per: string): string | null {
  return cents === undefined ? null : `at most ${units(cents, currency)} ${per}`;
}

function counted(count: number, noun: string): string {
  return count === 1 ? noun : `${count} ${noun}s`;
}

function units(cents: number, currency: string): string {
  const exponent = currencyExponent(currency);
  const digits = String(cents).padStart(exponent + 1, '0');
  return exponent === 0 ? digits : `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}
