import { describe, expect, it } from 'vitest';
import { trackSale } from './sale.ts';

const TRANSACTION_ID = 'transaction_id is required and must be a string';
const AMOUNT = 'amount_cents is required and must be a positive integer';
const PARTS = 'tax_cents and shipping_cents together must be at most amount_cents';
const sale = { transaction_id: 'order-1', amount_cents: 4900 };
const defaults = { currency: 'USD', sale_type: 'payment', is_recurring: false };
const firstMessage = (value: unknown) => trackSale.body.safeParse(value).error?.issues[0]?.message;

describe('the body of a sale', () => {
  it('has a default currency, sale_type and is_recurring', () => {
    expect(trackSale.body.parse(sale)).toEqual({ ...sale, ...defaults });
  });

  it('accepts every optional field', () => {
    const full = {
      ...sale,
      customer_key: 'user-1',
      click_id: 'cust_1_2',
      currency: 'EUR',
      tax_cents: 700,
      shipping_cents: 0,
      sale_type: 'subscription',
      is_recurring: true,
      subscription_id: 'sub-1',
      subscription_interval: 'annual',
      product_id: 'pro',
      line_items: [{ sku: 'a', quantity: 2 }],
      additional_data: { note: 'x' },
    };
    expect(trackSale.body.parse({ ...full, currency: 'eur', unknown: 1 })).toEqual(full);
  });

  it.each([
    [TRANSACTION_ID, 'missing', { amount_cents: 4900 }],
    [TRANSACTION_ID, 'not a string', { ...sale, transaction_id: 7 }],
    [TRANSACTION_ID, 'empty', { ...sale, transaction_id: '' }],
    [TRANSACTION_ID, 'too long', { ...sale, transaction_id: 'x'.repeat(256) }],
    [TRANSACTION_ID, 'before amount_cents', {}],
    [AMOUNT, 'missing', { transaction_id: 'order-1' }],
    [AMOUNT, 'zero', { ...sale, amount_cents: 0 }],
    [AMOUNT, 'negative', { ...sale, amount_cents: -1 }],
    [AMOUNT, 'a fraction', { ...sale, amount_cents: 49.5 }],
    [AMOUNT, 'wrong type', { ...sale, amount_cents: '4900' }],
    [AMOUNT, 'too large', { ...sale, amount_cents: 9_007_199_254_740_992 }],
    [AMOUNT, 'before the other fields', { transaction_id: 'order-1', currency: 'XYZ', customer_key: {} }],
    ['customer_key must be a string', 'wrong type', { ...sale, customer_key: {} }],
    ['click_id must be a string', 'wrong type', { ...sale, click_id: 7 }],
    ['currency must be an ISO 4217 code', 'unknown code', { ...sale, currency: 'XYZ' }],
    ['tax_cents must be a whole number of cents, 0 or more', 'negative', { ...sale, tax_cents: -1 }],
    ['shipping_cents must be a whole number of cents, 0 or more', 'a fraction', { ...sale, shipping_cents: 1.5 }],
    [PARTS, 'tax above the amount', { ...sale, tax_cents: 4_901 }],
    [PARTS, 'both above the amount', { ...sale, tax_cents: 2_450, shipping_cents: 2_451 }],
    ['sale_type must be payment or subscription', 'unknown type', { ...sale, sale_type: 'gift' }],
    ['is_recurring must be a boolean', 'text', { ...sale, is_recurring: 'true' }],
    ['subscription_id must be a string', 'wrong type', { ...sale, subscription_id: 7 }],
    [
      'subscription_interval must be monthly, quarterly or annual',
      'unknown interval',
      { ...sale, subscription_interval: 'weekly' },
    ],
    ['product_id must be a string', 'wrong type', { ...sale, product_id: 7 }],
    ['line_items must be an array', 'wrong type', { ...sale, line_items: {} }],
    ['additional_data must be an object', 'wrong type', { ...sale, additional_data: [] }],
  ])('%s: %s', (message, _condition, sent) => {
    expect(firstMessage(sent)).toBe(message);
  });
});

it('may consist of tax and shipping alone', () => {
  const parts = { tax_cents: 4_000, shipping_cents: 900 };
  expect(trackSale.body.parse({ ...sale, ...parts })).toMatchObject(parts);
});

describe('the body of a test sale', () => {
  it('may leave out transaction_id and amount_cents', () => {
    expect(trackSale.testBody.parse({})).toEqual(defaults);
  });

  it.each([
    [TRANSACTION_ID, { transaction_id: 7 }],
    [AMOUNT, { amount_cents: 0 }],
    [PARTS, { tax_cents: 101 }],
    [PARTS, { amount_cents: 200, tax_cents: 100, shipping_cents: 101 }],
  ])('is refused with %s if it contains an invalid one', (message, sent) => {
    expect(trackSale.testBody.safeParse(sent).error?.issues[0]?.message).toBe(message);
  });
});
