import type { CommissionRow } from '@svc/contract';
import { describe, expect, it } from 'vitest';
import { postbackEventOf, postbackValues, type Visit } from './postback.ts';

const COMMISSION: CommissionRow = {
  id: 9,
  kind: 'sale',
  sale_id: 8,
  transaction_id: 'order-1',
  customer_id: 7,
  customer_key: 'j***@example.com',
  partner_id: 3,
  partner_name: 'Jane',
  status: 'pending',
  stage: 'pending',
  sale_cents: 10_000,
  sale_currency: 'USD',
  commission_type: 'percent',
  commission_rate: 20,
  commission_cents: 2_000,
  base_cents: 10_000,
  terms_version: 1,
  rule: null,
  terms: null,
  reason: null,
  deducted_cents: 0,
  currency: 'USD',
  approve_after: '2026-04-09T12:00:00.000Z',
  hold_reason: null,
  rejection_reason: null,
  payout_id: null,
  paid_at: null,
  created_at: '2026-03-10T12:00:00.000Z',
};
const AT = '2026-03-10T12:00:00.000Z';
const VISIT: Visit = {
  clickedAt: new Date(1_767_225_600_000),
  affiliateUrl: 'https://acme.test/?aff=jane&sub=mail+42&sub_id=older+43',
  sub: 'mail 42',
  couponCode: 'JANE20',
};
const NO_VISIT: Visit = { clickedAt: null, affiliateUrl: null, sub: null, couponCode: null };

const valuesOf = (changes: Partial<CommissionRow>, visit: Visit = VISIT) =>
  postbackValues('created', { ...COMMISSION, ...changes }, AT, visit);

describe('what a postback says', () => {
  it('is what the partner’s own lists show', () => {
    expect(valuesOf({})).toEqual({
      click_id: 'cust_7_1767225600000',
      sub: 'mail 42',
      sub_id: 'older 43',
      transaction_id: 'order-1',
      amount: '100.00',
      commission: '20.00',
      currency: 'USD',
      status: 'pending',
      event: 'created',
      coupon: 'JANE20',
      happened_at: AT,
    });
  });

  it('is nothing about the customer of another partner', () => {
    expect(valuesOf({ kind: 'override' })).toMatchObject({
      click_id: '',
      sub: '',
      sub_id: '',
      coupon: '',
      amount: '100.00',
    });
  });

  it('has no visit and no sale for a bonus', () => {
    const bonus = { kind: 'bonus', sale_id: null, transaction_id: null, customer_id: null, sale_cents: null } as const;
    expect(valuesOf({ ...bonus, sale_currency: null }, NO_VISIT)).toMatchObject({
      click_id: '',
      sub: '',
      sub_id: '',
      transaction_id: '',
      amount: '',
      commission: '20.00',
      coupon: '',
    });
  });

  it.each([
    ['JPY', 1_234, '1234'],
    ['KWD', 1_234, '1.234'],
    ['USD', 5, '0.05'],
    ['USD', -960, '-9.60'],
    ['USD', Number.MAX_SAFE_INTEGER, '90071992547409.91'],
  ])('has exact amounts: %s %d is %s', (currency, cents, text) => {
    const amounts = { currency, sale_currency: currency, sale_cents: cents, commission_cents: cents };
    expect(valuesOf(amounts)).toMatchObject({ amount: text, commission: text, currency });
  });

  it('is the commission after deductions', () => {
    expect(valuesOf({ deducted_cents: 500 }).commission).toBe('15.00');
    expect(valuesOf({ deducted_cents: 2_000 }).commission).toBe('0.00');
  });

  it('leaves the amount of a sale in another currency out', () => {
    expect(valuesOf({ sale_currency: 'EUR' })).toMatchObject({ amount: '', commission: '20.00', currency: 'USD' });
  });

  it.each([
    ['https://acme.test/?aff=jane', ''],
    ['https://acme.test/?aff=jane&sub_id=', ''],
    ['https://acme.test/?aff=jane&sub_id=a&sub_id=b', 'a'],
    [`https://acme.test/?sub_id=${'x'.repeat(300)}`, 'x'.repeat(255)],
    ['https://acme.test/?sub_id=%F0%9F%98', '\ufffd'],
    ['not a URL', ''],
  ])('has the sub id of %.50s', (affiliateUrl, subId) => {
    expect(valuesOf({}, { ...VISIT, affiliateUrl }).sub_id).toBe(subId);
  });
});

it.each([
  ['commission.created', 'created'],
  ['commission.reversed', 'reversed'],
  ['commission.paid', 'paid'],
  ['sale.created', null],
  ['payout.paid', null],
])('%s is told as %s', (type, event) => {
  expect(postbackEventOf(type)).toBe(event);
});
