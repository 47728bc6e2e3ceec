import { isDecidedByRules } from '@svc/contract';
import { formatMoney } from './money.ts';
import { formatExact } from './time.ts';

/** One fact of a decision: what it is, and its value in words. */
export type Fact = [label: string, value: string];

type Facts = Record<string, unknown>;
type Format = (value: unknown, facts: Facts) => string | null;

const text: Format = (value) => String(value);
const yesOrNo: Format = (value) => (value === true ? 'Yes' : 'No');
const days: Format = (value) => `${value} ${Number(value) === 1 ? 'day' : 'days'}`;
const time: Format = (value) => (Number.isNaN(Date.parse(String(value))) ? null : formatExact(new Date(String(value))));
/** An amount in the currency that the decision names; without one, it cannot be written. */
const money =
  (currencyOf: (facts: Facts) => unknown): Format =>
  (value, facts) => {
    const currency = currencyOf(facts);
    return typeof currency === 'string' && Number.isFinite(Number(value)) ? formatMoney(Number(value), currency) : null;
  };
const ofSale = money((facts) => facts.currency ?? facts.commission_currency);
const ofCommission = money((facts) => facts.commission_currency ?? facts.currency);
/** What was taken from each override, in its own currency. */
const overrideDeductions: Format = (value) =>
  (value as { deduction_cents: number; currency: string }[])
    .map(({ deduction_cents: cents, currency }) => formatMoney(cents, currency))
    .join(', ');
const oneOf =
  (words: Record<string, string | undefined>): Format =>
  (value) =>
    words[String(value)] ?? String(value);
const list: Format = (value) => (Array.isArray(value) ? value.join(', ') : String(value));

/** The facts that decisions have, in the order in which they are read. Those that are not here are for support only. */
const FACTS: Record<string, readonly [label: string, format: Format] | undefined> = {
  message: ['What was wrong', text],
  hint: ['What to change', text],
  amount_cents: ['Amount', ofSale],
  tax_cents: ['Tax', ofSale],
  shipping_cents: ['Shipping', ofSale],
  base_cents: ['Commission computed from', ofSale],
  commission: ['Commission rule', text],
  commission_cents: ['Commission', ofCommission],
  capped: ['Limited by a cap', yesOrNo],
  override: ['Rule for the recruiter', text],
  override_cents: ['Override for the recruiter', money((facts) => facts.override_currency)],
  credit_cents: ['Credit for the customer', money((facts) => facts.credit_currency)],
  deducted_cents: ['Deducted', ofCommission],
  hold_reason: [
    'Held for review',
    oneOf({
      self_referral: 'The customer has the partner’s email address',
      email_from_page: 'Only a web page reported the customer’s email address',
      claimed_key: 'Only a web page claims the customer key for this partner',
    }),
  ],
  sale_cents: ['Amount of the sale', ofSale],
  requested_cents: ['Refund requested', ofSale],
  refunded_before_cents: ['Refunded before', ofSale],
  refunded_cents: ['Refunded now', ofSale],
  left_cents: ['Left to refund', ofSale],
  deduction_cents: ['Taken back from the commission', ofCommission],
  override_deductions: ['Taken back from overrides', overrideDeductions],
  refund_id: ['Refund ID', text],
  refund_reason: ['Reason for the refund', text],
  assignment_reason: ['Reason', text],
  coupon_code: ['Coupon code', text],
  coupon_result: [
    'Coupon',
    oneOf({
      credited: 'It credited its partner',
      kept: 'The partner who had the customer first kept them',
      unknown: 'The program has no such code',
      inactive: 'The code is switched off',
      partner_inactive: 'Its partner is not active in the program',
      program_inactive: 'The program was not active',
    }),
  ],
  is_recurring: ['Renewal', yesOrNo],
  recorded_as: ['Recorded as', text],
  paid_by: ['Known at the processor as', list],
  mode: ['Reported by', oneOf({ browser: 'A web page', server: 'Your server' })],
  origin: ['Page', text],
  lead_auth: [
    'Signups count',
    oneOf({ browser_allowed: 'At once', server_required: 'Once your server confirms them' }),
  ],
  customer_status: [
    'Customer before',
    oneOf({ click: 'Had clicked', lead: 'Had signed up', conversion: 'Had bought' }),
  ],
  clicked_at: ['Clicked', time],
  credited_click_at: ['Credited click', time],
  signed_up_at: ['Signed up', time],
  paid_at: ['Paid', time],
  converted_at: ['First purchase', time],
  click_age_days: ['Age of the click', days],
  window_days: ['Attribution window', days],
  membership_status: [
    'Partner at the time',
    oneOf({ active: 'Active', applied: 'Not approved yet', blocked: 'Blocked', removed: 'Removed' }),
  ],
};

/** What the commission rules would have paid. It is not why a sale was rejected. */
const OF_RULES = [
  'base_cents',
  'commission',
  'commission_cents',
  'capped',
  'override',
  'override_cents',
  'credit_cents',
];

type Decision = { kind: string; outcome: string; facts: Facts };

/**
 * The facts of a decision in words. Amounts are money; those of a refund, which names no currency, are in that of its sale, and
 * are left out if nothing says which that is.
 */
export function factsInWords({ kind, outcome, facts }: Decision, factsOfSale: Facts = {}): Fact[] {
  const isDecided = isDecidedByRules({ kind, outcome });
  const { currency, commission_currency: commissionCurrency } = factsOfSale;
  const known = { currency, commission_currency: commissionCurrency, ...facts };
  return Object.entries(FACTS).flatMap(([name, fact]): Fact[] => {
    const value = facts[name];
    if (!fact || value === null || value === undefined) return [];
    if (!isDecided && OF_RULES.includes(name)) return [];
    const [label, format] = fact;
    const words = format(value, known);
    return words === null ? [] : [[label, words]];
  });
}

const SOURCES: Record<string, string | undefined> = {
  api: 'Your server',
  browser: 'A web page',
  processor: 'Payment processor',
  repair: 'A later repair',
  person: 'Your team',
  synthetic: 'A test of the service',
};

/** Who reported the event that was decided about. */
export function sourceInWords(source: string): string {
  return SOURCES[source] ?? source;
}
