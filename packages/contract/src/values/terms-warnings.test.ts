import { describe, expect, it } from 'vitest';
import type { TermsRule } from './terms-rule.ts';
import { termsWarnings } from './terms-warnings.ts';

const SETTINGS = { type: 'percent', rate: 20, currency: 'USD' } as const;
const RECURRING = { ...SETTINGS, type: 'recurring_percent' } as const;
const sale = (rate: number, parts: Partial<TermsRule> = {}): TermsRule => ({
  on: 'sale',
  pays: { type: 'percent', rate },
  ...parts,
});
const override = (rate: number, parts: Partial<TermsRule> = {}): TermsRule =>
  sale(rate, { pays: { to: 'recruiter', type: 'percent', rate }, ...parts });

describe('terms are warned about', () => {
  it.each<[string, TermsRule[], string]>([
    [
      'if two rules together pay more than the sale',
      [override(100), sale(100)],
      'Rules 1 and 2 can pay more than the sale brings: together 200%, 100% to the partner and 100% to the recruiter.',
    ],
    [
      'if the settings and a rule do',
      [override(80.0001)],
      'The commission settings and rule 1 can pay more than the sale brings: together 100.0001%, 20% to the partner and ' +
        '80.0001% to the recruiter.',
    ],
    [
      'with the pair that pays the most',
      [sale(70, { for: { group_id: 7 } }), sale(60), override(50)],
      'Rules 1 and 3 can pay more than the sale brings: together 120%, 70% to the partner and 50% to the recruiter.',
    ],
    [
      'if a rule leaves later sales to the settings',
      [sale(1, { pays: { type: 'percent', rate: 1, months: 12 } }), override(90)],
      'The commission settings and rule 2 can pay more than the sale brings: together 110%, 20% to the partner and 90% to ' +
        'the recruiter.',
    ],
    [
      'whatever a cap takes off large sales',
      [override(90, { caps: { per_sale_cents: 100 } })],
      'The commission settings and rule 1 can pay more than the sale brings: together 110%, 20% to the partner and 90% to ' +
        'the recruiter.',
    ],
  ])('%s', (_when, rules, warning) => {
    expect(termsWarnings(rules, SETTINGS)).toEqual([warning]);
  });

  it.each<[string, TermsRule[]]>([
    ['100% together', [override(80)]],
    ['a sum that only binary fractions make larger', [sale(33.3), override(66.7)]],
    ['rules for two groups', [sale(60, { for: { group_id: 7 } }), override(60, { for: { group_id: 8 } })]],
    ['rules for two products', [sale(90, { when: { product_id: 'a' } }), override(60, { when: { product_id: 'b' } })]],
    [
      'rules for new and returning customers',
      [sale(90, { when: { customer: 'new' } }), override(60, { when: { customer: 'returning' } })],
    ],
    ['settings that no sale reaches', [sale(5), override(90)]],
    [
      'fixed amounts',
      [
        sale(0, { pays: { type: 'fixed', rate: 1000 } }),
        override(0, { pays: { to: 'recruiter', type: 'fixed', rate: 50 } }),
      ],
    ],
    ['no recruiter', [sale(100)]],
    ['no rules', []],
  ])('but not about %s', (_what, rules) => {
    expect(termsWarnings(rules, SETTINGS)).toEqual([]);
  });

  it('but not about settings with a fixed amount', () => {
    expect(termsWarnings([override(90)], { ...SETTINGS, type: 'fixed', rate: 50 })).toEqual([]);
  });
});

describe('a group that gets less of renewals', () => {
  const gold = (rate: number, renewals = false) =>
    sale(rate, { for: { group_id: 7 }, pays: { type: 'percent', rate, renewals } });

  it('than of sales is pointed out, with what pays its renewals', () => {
    const tail = 'Include renewals in the rule if they should pay 30% too.';
    expect(termsWarnings([gold(30)], RECURRING)).toEqual([
      `Rule 1 pays 30% for sales, but not for renewals: for those, the commission settings pay 20%. ${tail}`,
    ]);
    const everyone = sale(10, { pays: { type: 'percent', rate: 10, renewals: true } });
    expect(termsWarnings([gold(30), everyone], RECURRING)).toEqual([
      `Rule 1 pays 30% for sales, but not for renewals: for those, rule 2 pays 10%. ${tail}`,
    ]);
  });

  it('than other partners is pointed out', () => {
    expect(termsWarnings([gold(10, true)], RECURRING)).toEqual([
      'Rule 1 pays 10% for renewals, less than other partners get: the commission settings pay 20%.',
    ]);
    const fixed: TermsRule = { on: 'sale', for: { group_id: 7 }, pays: { type: 'fixed', rate: 2.5, renewals: true } };
    expect(termsWarnings([fixed], { ...SETTINGS, type: 'recurring_fixed', rate: 5 })).toEqual([
      'Rule 1 pays $2.50 for renewals, less than other partners get: the commission settings pay $5.00.',
    ]);
  });

  it.each<[string, TermsRule[], { type: 'percent' | 'recurring_percent'; rate: number; currency: string }]>([
    ['a group that gets more of renewals', [gold(30, true)], RECURRING],
    ['renewals that pay nobody', [gold(30)], SETTINGS],
    ['renewals that pay a group more than its sales do', [gold(10)], RECURRING],
    ['a rule of its own for renewals', [gold(30), gold(30, true)], RECURRING],
    ['rules for everyone', [sale(30)], RECURRING],
    [
      'an amount that cannot be compared',
      [sale(30, { for: { group_id: 7 }, pays: { type: 'fixed', rate: 1 } })],
      RECURRING,
    ],
  ])('but not %s', (_what, rules, settings) => {
    expect(termsWarnings(rules, settings)).toEqual([]);
  });
});
