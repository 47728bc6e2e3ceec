import type { TermsRule } from '@svc/contract';
import { formatUnits, parseUnits } from '../money.ts';

/** Whom a rule is for. */
export type RuleAudience = 'everyone' | 'group' | 'partner';

/** A rule while it is edited: what people see in its fields. Amounts are in whole units; an empty field says nothing. */
export type RuleDraft = {
  key: number;
  on: TermsRule['on'];
  audience: RuleAudience;
  groupId: string;
  partnerId: string;
  type: TermsRule['pays']['type'];
  rate: string;
  renewals: boolean;
  to: NonNullable<TermsRule['pays']['to']>;
  productId: string;
  coupon: string;
  minAmount: string;
  customer: '' | 'new' | 'returning';
  months: string;
  maxPayments: string;
  capPerSale: string;
  capPerCustomer: string;
  capPerMonth: string;
  base: '' | 'net' | 'gross';
  credit: string;
};

/** A new rule: percent of sales, and of renewals if the commission settings pay for them. */
export function newDraft(key: number, { renewals }: { renewals: boolean }): RuleDraft {
  return toDraft({ on: 'sale', pays: { type: 'percent', rate: Number.NaN, renewals } }, key, 'USD');
}

/** What a rule has only if one adds it. */
export type DraftPart = Exclude<
  keyof RuleDraft,
  'key' | 'on' | 'audience' | 'groupId' | 'partnerId' | 'type' | 'rate' | 'renewals'
>;

/** The values of parts that a rule does not have. */
export const NO_PART: Pick<RuleDraft, DraftPart> = {
  productId: '',
  coupon: '',
  minAmount: '',
  customer: '',
  months: '',
  maxPayments: '',
  capPerSale: '',
  capPerCustomer: '',
  capPerMonth: '',
  base: '',
  to: 'partner',
  credit: '',
};

/** What a part begins with when it is added: a choice, or an empty field. */
export function toAddedPart(part: DraftPart): string {
  const chosen: Partial<Record<DraftPart, string>> = { customer: 'new', base: 'net', to: 'recruiter' };
  return chosen[part] ?? '';
}

/** Whether a rule like this can have the part: a lead has no amount, and a recruiter's rule grants no credit. */
export function isPartOf({ on, type, to }: RuleDraft, part: DraftPart): boolean {
  if (part === 'credit') return to === 'partner';
  if (part === 'base') return on === 'sale' && type === 'percent';
  return on === 'sale' || part === 'capPerCustomer' || part === 'capPerMonth' || part === 'to';
}

export function toDraft(rule: TermsRule, key: number, currency: string): RuleDraft {
  const { on, when, pays, caps, base, credit } = rule;
  const amount = (cents: number | undefined) => (cents === undefined ? '' : formatUnits(cents, currency));
  return {
    key,
    on,
    audience: audienceOf(rule),
    groupId: text(rule.for?.group_id),
    partnerId: text(rule.for?.partner_id),
    type: pays.type,
    rate: Number.isNaN(pays.rate) ? '' : String(pays.rate),
    renewals: pays.renewals ?? false,
    to: pays.to ?? 'partner',
    productId: when?.product_id ?? '',
    coupon: when?.coupon ?? '',
    minAmount: amount(when?.min_amount_cents),
    customer: when?.customer ?? '',
    months: text(pays.months),
    maxPayments: text(pays.max_payments),
    capPerSale: amount(caps?.per_sale_cents),
    capPerCustomer: amount(caps?.per_customer_cents),
    capPerMonth: amount(caps?.per_partner_month_cents),
    base: base ?? '',
    credit: amount(credit?.amount_cents),
  };
}

/** The rule that the fields describe. A lead has no amount, so fields about one are left out. */
export function toRule(draft: RuleDraft, currency: string): TermsRule {
  const amount = (typed: string) => (typed === '' ? undefined : parseUnits(typed, currency));
  const isSale = draft.on === 'sale';
  const when = someOf({
    product_id: isSale ? draft.productId.trim() || undefined : undefined,
    coupon: isSale ? draft.coupon.trim() || undefined : undefined,
    min_amount_cents: isSale ? amount(draft.minAmount) : undefined,
    customer: isSale ? draft.customer || undefined : undefined,
  });
  const caps = someOf({
    per_sale_cents: isSale ? amount(draft.capPerSale) : undefined,
    per_customer_cents: amount(draft.capPerCustomer),
    per_partner_month_cents: amount(draft.capPerMonth),
  });
  const type = isSale ? draft.type : 'fixed';
  const credit = draft.to === 'partner' ? amount(draft.credit) : undefined;
  return {
    on: draft.on,
    ...(draft.audience === 'group' && { for: { group_id: Number(draft.groupId) } }),
    ...(draft.audience === 'partner' && { for: { partner_id: Number(draft.partnerId) } }),
    ...(when && { when }),
    pays: {
      ...(draft.to === 'recruiter' && { to: draft.to }),
      type,
      rate: draft.rate.trim() === '' ? Number.NaN : Number(draft.rate),
      ...(isSale && draft.renewals && { renewals: true }),
      ...(isSale && draft.months && { months: Number(draft.months) }),
      ...(isSale && draft.maxPayments && { max_payments: Number(draft.maxPayments) }),
    },
    ...(caps && { caps }),
    ...(isSale && type === 'percent' && draft.base && { base: draft.base }),
    ...(credit !== undefined && { credit: { amount_cents: credit } }),
  };
}

/** The drafts with one of them moved up or down by one. */
export function moveDraft(drafts: RuleDraft[], index: number, by: -1 | 1): RuleDraft[] {
  const moved = drafts[index];
  return moved ? drafts.toSpliced(index, 1).toSpliced(index + by, 0, moved) : drafts;
}

const text = (value: number | undefined) => (value === undefined ? '' : String(value));

function audienceOf(rule: TermsRule): RuleAudience {
  if (rule.for?.group_id !== undefined) return 'group';
  return rule.for?.partner_id === undefined ? 'everyone' : 'partner';
}

/** The values that are there; undefined if none is. */
function someOf<Values extends Record<string, unknown>>(values: Values): Values | undefined {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return entries.length > 0 ? (Object.fromEntries(entries) as Values) : undefined;
}
