import type { TermsRule } from '@svc/contract';
import { describe, expect, it } from 'vitest';
import { formatUnits, parseUnits } from '../money.ts';
import { isPartOf, moveDraft, newDraft, toDraft, toRule } from './rule-draft.ts';

describe('a rule while it is edited', () => {
  it.each<[TermsRule, currency: string]>([
    [{ on: 'sale', pays: { type: 'percent', rate: 25 } }, 'USD'],
    [{ on: 'lead', for: { group_id: 7 }, pays: { type: 'fixed', rate: 2.5 } }, 'EUR'],
    [
      {
        on: 'sale',
        for: { partner_id: 3 },
        when: { product_id: 'pro', coupon: 'SPRING', min_amount_cents: 1050, customer: 'new' },
        pays: { type: 'percent', rate: 12.5, renewals: true, months: 12, max_payments: 6 },
        caps: { per_sale_cents: 5000, per_customer_cents: 0, per_partner_month_cents: 100_000 },
        base: 'gross',
        credit: { amount_cents: 500 },
      },
      'USD',
    ],
    [{ on: 'sale', when: { min_amount_cents: 1500 }, pays: { to: 'recruiter', type: 'fixed', rate: 300 } }, 'JPY'],
  ])('stays what it was: %j in %s', (rule, currency) => {
    expect(toRule(toDraft(rule, 0, currency), currency)).toEqual(rule);
  });

  it('says nothing about amounts once it is for leads', () => {
    const draft = toDraft(
      { on: 'sale', when: { min_amount_cents: 100 }, pays: { type: 'percent', rate: 5, months: 2 }, base: 'net' },
      0,
      'USD',
    );
    expect(toRule({ ...draft, on: 'lead' }, 'USD')).toEqual({ on: 'lead', pays: { type: 'fixed', rate: 5 } });
  });

  it('is about renewals from the start if the commission settings are', () => {
    const rule = (renewals: boolean) => toRule({ ...newDraft(0, { renewals }), rate: '5' }, 'USD');
    expect(rule(true)).toEqual({ on: 'sale', pays: { type: 'percent', rate: 5, renewals: true } });
    expect(rule(false)).toEqual({ on: 'sale', pays: { type: 'percent', rate: 5 } });
  });

  it('offers only what fits it', () => {
    const sale = newDraft(0, { renewals: false });
    expect([isPartOf(sale, 'base'), isPartOf({ ...sale, type: 'fixed' }, 'base')]).toEqual([true, false]);
    const lead = { ...sale, on: 'lead' } as const;
    expect([isPartOf(lead, 'coupon'), isPartOf(lead, 'capPerSale'), isPartOf(lead, 'capPerMonth')]).toEqual([
      false,
      false,
      true,
    ]);
    expect([isPartOf(sale, 'credit'), isPartOf({ ...sale, to: 'recruiter' }, 'credit')]).toEqual([true, false]);
  });

  it('moves up and down', () => {
    const drafts = [0, 1, 2].map((key) => newDraft(key, { renewals: false }));
    expect(moveDraft(drafts, 2, -1).map(({ key }) => key)).toEqual([0, 2, 1]);
    expect(moveDraft(drafts, 0, 1).map(({ key }) => key)).toEqual([1, 0, 2]);
  });
});

describe('amounts that people type', () => {
  it.each([
    ['10.5', 'USD', 1050],
    ['10', 'USD', 1000],
    ['-0.29', 'USD', -29],
    ['1500', 'JPY', 1500],
    ['90071992547409.91', 'USD', 9007199254740991],
  ])('are read without rounding: %s %s', (typed, currency, cents) => {
    expect(parseUnits(typed, currency)).toBe(cents);
    expect(parseUnits(formatUnits(cents, currency), currency)).toBe(cents);
  });

  it.each(['', '.', '1.005', '1e3', 'ten'])('are not guessed: %j', (typed) => {
    expect(parseUnits(typed, 'USD')).toBeNaN();
  });
});
