import { describe, expect, it } from 'vitest';
import { COMMISSION_TYPES } from './commission-types.ts';
import { canPay, describeEarnings, describeOwnRule, describeRule, describeSettings } from './describe-earnings.ts';
import type { TermsRule } from './terms-rule.ts';

const names = { currency: 'USD', groups: new Map([[7, 'Gold']]), partners: new Map([[3, 'Ann']]) };
const percent = (rate: number, parts: Partial<TermsRule> = {}): TermsRule => ({
  on: 'sale',
  ...parts,
  pays: { type: 'percent', rate, ...parts.pays },
});

describe('a rule in words', () => {
  it.each<[TermsRule, brand: string, partner: string]>([
    [
      percent(30, { for: { group_id: 7 }, caps: { per_sale_cents: 10_000 } }),
      'group Gold earns 30% of each sale, not of renewals, at most $100.00 per sale',
      '30% of each sale, not of renewals, at most $100.00 per sale',
    ],
    [
      percent(25, { pays: { type: 'percent', rate: 25, renewals: true } }),
      '25% of each sale and renewal',
      '25% of each sale and renewal',
    ],
    [
      {
        on: 'lead',
        for: { partner_id: 3 },
        pays: { type: 'fixed', rate: 2.5 },
        caps: { per_customer_cents: 500, per_partner_month_cents: 10_000 },
      },
      'Ann earns $2.50 for each confirmed signup, at most $5.00 per customer, at most $100.00 per partner and month',
      '$2.50 for each confirmed signup, at most $5.00 per customer, at most $100.00 per month',
    ],
    [
      percent(5, { pays: { to: 'recruiter', type: 'percent', rate: 5, renewals: true, months: 12 } }),
      'recruiters earn 5% of each sale and renewal by a partner whom they recruited, only in the first 12 months after the ' +
        'customer’s first sale',
      '5% of each sale and renewal by a partner you recruited, only in the first 12 months after the customer’s first sale',
    ],
    [
      percent(5, { for: { group_id: 7 }, pays: { to: 'recruiter', type: 'percent', rate: 5 } }),
      'recruiters earn 5% of each sale by a partner in group Gold whom they recruited, not of renewals',
      '5% of each sale by some of the partners you recruited, not of renewals',
    ],
    [
      percent(5, { for: { partner_id: 3 }, pays: { to: 'recruiter', type: 'percent', rate: 5 } }),
      'the recruiter of Ann earns 5% of each sale by Ann, not of renewals',
      '5% of each sale by some of the partners you recruited, not of renewals',
    ],
    [
      {
        on: 'sale',
        when: { product_id: 'Pro', coupon: 'X', min_amount_cents: 5000, customer: 'new' },
        pays: { type: 'percent', rate: 12.3456, max_payments: 1 },
        base: 'gross',
        credit: { amount_cents: 1000 },
      },
      '12.3456% of each sale of $50.00 or more of product Pro with coupon X to new customers, not of renewals, only for the ' +
        'first payment of a customer, computed with tax and shipping, with a credit of $10.00 for a new customer',
      '12.3456% of each sale of $50.00 or more of product Pro with coupon X to new customers, not of renewals, only for the ' +
        'first payment of a customer, computed with tax and shipping, with a credit of $10.00 for a new customer',
    ],
  ])('says what is paid for what, to whom, and up to which amount', (rule, brand, partner) => {
    expect([describeRule(rule, names), describeOwnRule(rule, 'USD')]).toEqual([brand, partner]);
  });

  it.each([
    ['JPY', 500, '¥500'],
    ['KWD', 500, 'KWD 0.500'],
    ['EUR', 1_499_999_900, '€14,999,999.00'],
    ['USD', 9_007_199_254_740_991, '$90,071,992,547,409.91'],
  ])('writes amounts in %s with all their decimals', (currency, cents, amount) => {
    const rule = percent(1, { caps: { per_sale_cents: cents } });
    expect(describeOwnRule(rule, currency)).toBe(`1% of each sale, not of renewals, at most ${amount} per sale`);
  });
});

const AFTER = 'after the customer’s first sale';

describe('the commission settings in words', () => {
  it.each([
    ['percent', null, '20% of each sale, not of renewals'],
    ['percent', 12, '20% of each sale, not of renewals'],
    ['fixed', null, '€20.00 for each sale, not for renewals'],
    ['recurring_percent', null, '20% of each sale and renewal'],
    ['recurring_percent', 12, `20% of each sale, and of each renewal in the first 12 months ${AFTER}`],
    ['recurring_fixed', 1, `€20.00 for each sale, and for each renewal in the first month ${AFTER}`],
  ] as const)('%s with %s months of renewals are exact', (type, months, text) => {
    const settings = { commission_type: type, commission_rate: 20, currency: 'EUR', recurring_months: months };
    expect(describeSettings(settings)).toBe(text);
    expect(text.includes('not')).toBe(!COMMISSION_TYPES[type].renewals);
  });
});

describe('what a partner earns', () => {
  const settings = {
    commission_type: 'recurring_percent',
    commission_rate: 20,
    commission_base: 'net',
    currency: 'USD',
    recurring_months: null,
  } as const;
  const NET = 'Tax and shipping do not count';

  it('is what their rules pay, and what the program pays otherwise', () => {
    const gold = percent(30, { for: { group_id: 7 }, caps: { per_sale_cents: 10_000 } });
    const signup: TermsRule = { on: 'lead', pays: { type: 'fixed', rate: 5 } };
    const recruiting = percent(2, { pays: { to: 'recruiter', type: 'percent', rate: 2 } });
    expect(describeEarnings([recruiting, signup, gold], settings)).toEqual([
      '30% of each sale, not of renewals, at most $100.00 per sale; otherwise 20% of each sale and renewal',
      '$5.00 for each confirmed signup',
      '2% of each sale by a partner you recruited, not of renewals',
      NET,
    ]);
    expect(describeEarnings([], settings)).toEqual(['20% of each sale and renewal', NET]);
  });

  it('names nothing that an earlier rule always decides', () => {
    const gold = percent(30, { for: { group_id: 7 }, pays: { type: 'percent', rate: 30, renewals: true } });
    const everyone = percent(25, { pays: { type: 'percent', rate: 25, renewals: true } });
    expect(describeEarnings([gold, everyone], settings)).toEqual(['30% of each sale and renewal', NET]);
    const fixed: TermsRule = { on: 'sale', pays: { type: 'fixed', rate: 40, renewals: true } };
    expect(describeEarnings([fixed], settings)).toEqual(['$40.00 for each sale and renewal']);
  });

  it('counts the rules that would make the sentence too long', () => {
    const products = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => percent(10, { when: { product_id: id } }));
    expect(describeEarnings(products, settings)[0]).toMatch(
      / of product e, not of renewals; otherwise by 2 more rules$/,
    );
  });

  it('depends on their group, on themselves and on whom they recruited', () => {
    const ann = { partnerId: 3, groupId: 7, recruits: [{ partnerId: 4, groupId: 8 }] };
    const toRecruiter = (parts: Partial<TermsRule>) =>
      percent(5, { ...parts, pays: { to: 'recruiter', type: 'percent', rate: 5 } });
    const rules: [TermsRule, boolean][] = [
      [percent(1), true],
      [percent(1, { for: { group_id: 7 } }), true],
      [percent(1, { for: { group_id: 8 } }), false],
      [percent(1, { for: { partner_id: 3 } }), true],
      [percent(1, { for: { partner_id: 4 } }), false],
      [toRecruiter({}), true],
      [toRecruiter({ for: { group_id: 7 } }), false],
      [toRecruiter({ for: { group_id: 8 } }), true],
    ];
    expect(rules.map(([rule]) => canPay(rule, ann))).toEqual(rules.map(([, pays]) => pays));
  });
});
