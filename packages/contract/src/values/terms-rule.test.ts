import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { termsRules } from './terms-rules.ts';

const sale = { on: 'sale', pays: { type: 'percent', rate: 25 } };
const lead = { on: 'lead', pays: { type: 'fixed', rate: 5 } };

const body = z.object({ rules: termsRules });
const firstProblem = (rules: unknown) => body.safeParse({ rules }).error?.issues[0]?.message;

describe('rules of the terms', () => {
  it('take every field', () => {
    const full = {
      on: 'sale',
      for: { group_id: 7 },
      when: { product_id: 'pro', coupon: 'SUMMER', min_amount_cents: 5000, customer: 'new' },
      pays: { to: 'partner', type: 'percent', rate: 12.3456, renewals: true, months: 12, max_payments: 3 },
      caps: { per_sale_cents: 0, per_customer_cents: 10_000, per_partner_month_cents: 1_000_000 },
      base: 'net',
      credit: { amount_cents: 500 },
    };
    expect(termsRules.parse([full, lead, sale])).toEqual([full, lead, sale]);
    expect(termsRules.parse([])).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['something else than a list', {}, 'rules must be a list of rules'],
    ['something else than an object', [5], 'rule 1: it must be an object'],
    ['another event', [sale, { ...sale, on: 'click' }], 'rule 2: on must be sale or lead'],
    ['nothing that is paid', [{ on: 'sale' }], 'rule 1: pays must be an object'],
    ['a misspelt field', [{ ...sale, caps: { per_sale: 5 } }], 'rule 1: caps.per_sale is not a known field'],
    ['an unknown field', [{ ...sale, on_top: 5 }], 'rule 1: on_top is not a known field'],
    ['a rate below zero', [{ ...sale, pays: { type: 'percent', rate: -1 } }], 'rule 1: pays.rate must be 0 or more'],
    [
      'a rate that is no number',
      [{ ...sale, pays: { type: 'percent', rate: '5' } }],
      'rule 1: pays.rate must be a number',
    ],
    [
      'more than 100 percent',
      [{ ...sale, pays: { type: 'percent', rate: 100.5 } }],
      'rule 1: pays.rate must be at most 100 percent',
    ],
    [
      'five decimals',
      [{ ...sale, pays: { type: 'percent', rate: 0.00001 } }],
      'rule 1: pays.rate keeps at most four decimals',
    ],
    [
      'a cap below zero',
      [{ ...sale, caps: { per_customer_cents: -1 } }],
      'rule 1: caps.per_customer_cents must be a whole number, 0 or more',
    ],
    [
      'no months',
      [{ ...sale, pays: { ...sale.pays, months: 0 } }],
      'rule 1: pays.months must be a whole number from 1 to 1200',
    ],
    [
      'a partner and a group',
      [{ ...sale, for: { partner_id: 1, group_id: 2 } }],
      'rule 1: for must have either partner_id or group_id',
    ],
    ['nobody', [{ ...sale, for: {} }], 'rule 1: for must have either partner_id or group_id'],
    ['percent of a lead', [{ ...sale, on: 'lead' }], 'rule 1: pays.type must be fixed for leads, which have no amount'],
    [
      'the product of a lead',
      [{ ...lead, when: { product_id: 'pro' } }],
      'rule 1: when.product_id does not apply to leads',
    ],
    [
      'the base of a fixed amount',
      [{ ...lead, on: 'sale', base: 'net' }],
      'rule 1: base does not apply to fixed amounts',
    ],
    [
      'the first payment of a returning customer',
      [{ ...sale, when: { customer: 'returning' }, pays: { ...sale.pays, max_payments: 1 } }],
      'rule 1: pays.max_payments can never match: the first payment is never of a returning customer',
    ],
    [
      'a rule behind one that fits everything',
      [sale, lead, { ...sale, for: { partner_id: 3 } }],
      'rule 3: on can never match: rule 1 matches first',
    ],
    [
      'a rule behind a wider one',
      [
        { ...sale, when: { coupon: 'summer' } },
        { ...sale, when: { coupon: 'SUMMER', min_amount_cents: 1 } },
      ],
      'rule 2: on can never match: rule 1 matches first',
    ],
    [
      'a credit for returning customers',
      [{ ...sale, when: { customer: 'returning' }, credit: { amount_cents: 5 } }],
      'rule 1: credit is only for new customers',
    ],
  ])('refuse %s', (_what, rules, message) => {
    expect(firstProblem(rules)).toBe(message);
  });

  it.each<[string, object, object]>([
    ['renewals after a rule without them', sale, { ...sale, pays: { ...sale.pays, renewals: true } }],
    ['the time after the first months', { ...sale, pays: { ...sale.pays, months: 12 } }, sale],
    ['payments after the first ones', { ...sale, pays: { ...sale.pays, max_payments: 1 } }, sale],
    ['changes after a fixed amount', { ...lead, on: 'sale' }, sale],
    ['the recruiter besides the partner', sale, { ...sale, pays: { ...sale.pays, to: 'recruiter' } }],
    ['a partner of a group', { ...sale, for: { group_id: 1 } }, { ...sale, for: { partner_id: 1 } }],
  ])('can pay for %s', (_what, first, second) => {
    expect(firstProblem([first, second])).toBeUndefined();
  });
});
