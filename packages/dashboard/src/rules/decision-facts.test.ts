import { expect, it } from 'vitest';
import { factsInWords } from './decision-facts.ts';

const sale = (facts: Record<string, unknown>, outcome = 'recorded') => ({ kind: 'sale', outcome, facts });
const refunded = (facts: Record<string, unknown>) => ({ kind: 'refund', outcome: 'recorded', facts });

it('facts are in words, and amounts are money', () => {
  const facts = {
    amount_cents: 3800,
    currency: 'EUR',
    is_recurring: true,
    commission_cents: '760',
    commission_currency: 'EUR',
    window_days: 60,
    click_age_days: 1,
    customer_status: 'lead',
    commission_type: 'percent',
    terms_version: 2,
    tax_cents: null,
  };
  expect(factsInWords(sale(facts))).toEqual([
    ['Amount', '€38.00'],
    ['Commission', '€7.60'],
    ['Renewal', 'Yes'],
    ['Customer before', 'Had signed up'],
    ['Age of the click', '1 day'],
    ['Attribution window', '60 days'],
  ]);
});

it('the amounts of a refund are in the currency of its sale, and are left out if that is not known', () => {
  const refund = { refunded_cents: 500, deduction_cents: 100, refund_id: 're_1' };
  const overrides = { override_deductions: [{ deduction_cents: 50, currency: 'USD' }] };
  expect(factsInWords(refunded({ ...refund, ...overrides }), { currency: 'JPY', commission_currency: 'EUR' })).toEqual([
    ['Refunded now', '¥500'],
    ['Taken back from the commission', '€1.00'],
    ['Taken back from overrides', '$0.50'],
    ['Refund ID', 're_1'],
  ]);
  expect(factsInWords(refunded(refund))).toEqual([['Refund ID', 're_1']]);
});

it('what a rule would have paid is no fact of a sale that was rejected', () => {
  const facts = {
    amount_cents: 3800,
    currency: 'EUR',
    commission: '20% of each sale, not of renewals',
    base_cents: 3800,
  };
  const amount = ['Amount', '€38.00'];
  const ofRules = [
    ['Commission computed from', '€38.00'],
    ['Commission rule', '20% of each sale, not of renewals'],
  ];
  expect(factsInWords(sale(facts))).toEqual([amount, ...ofRules]);
  expect(factsInWords(sale(facts, 'refused'))).toEqual([amount]);
  expect(factsInWords(sale(facts, 'not_attributed'))).toEqual([amount]);
});
