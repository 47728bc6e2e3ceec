import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../test/any-character.ts';
import { plainSale } from './plain-sale.ts';
import { trackSale } from './sale.ts';

const FIELDS = Object.keys(trackSale.body.shape);
const parse = (fields: object) => plainSale(fields, new Set(FIELDS));
const sent = { transaction_id: 'order_1', amount_cents: 4_900, customer_key: 'user_42' };

describe('plainSale', () => {
  it('parses what backends send', () => {
    const defaults = { currency: 'USD', sale_type: 'payment', is_recurring: false };
    expect(parse(sent)).toEqual({ ...defaults, ...sent });
    expect(parse({ ...sent, currency: 'EUR', click_id: 'cust_1_1' })).toEqual({
      ...defaults,
      ...sent,
      currency: 'EUR',
      click_id: 'cust_1_1',
    });
  });

  it('ignores fields that the route does not know', () => {
    expect(parse({ ...sent, order: 7, constructor: 'x', toString: {} })).toEqual(parse(sent));
  });

  it.each([
    ['a missing transaction_id', { amount_cents: 1 }],
    ['a missing amount_cents', { transaction_id: 'order_1' }],
    ['a blank transaction_id', { ...sent, transaction_id: ' ' }],
    ['an empty customer_key', { ...sent, customer_key: '' }],
    ['a customer_key that is a number', { ...sent, customer_key: 42 }],
    ['null', { ...sent, click_id: null }],
    ['an amount of zero', { ...sent, amount_cents: 0 }],
    ['a fraction of a cent', { ...sent, amount_cents: 1.5 }],
    ['an amount as text', { ...sent, amount_cents: '4900' }],
    ['a currency in lower case', { ...sent, currency: 'eur' }],
    ['an unknown currency', { ...sent, currency: 'XYZ' }],
    ['tax', { ...sent, tax_cents: 10 }],
    ['line items', { ...sent, line_items: [] }],
    ['additional_data', { ...sent, additional_data: {} }],
    ['a NUL', { ...sent, transaction_id: 'a\0' }],
    ['a field that is too long', { ...sent, click_id: 'x'.repeat(256) }],
  ])('leaves %s to the schema', (_case, fields) => {
    expect(parse(fields)).toBeUndefined();
  });

  it('agrees with the schema on everything it parses', () => {
    const value = fc.oneof(
      { arbitrary: fc.string({ minLength: 1, maxLength: 8 }), weight: 4 },
      { arbitrary: fc.string({ unit: anyCharacter, maxLength: 8 }), weight: 1 },
      { arbitrary: fc.constantFrom('EUR', 'usd', 'payment', 'subscription', 'monthly', true, false), weight: 4 },
      { arbitrary: fc.oneof(fc.integer(), fc.double(), fc.constantFrom(null, 'x'.repeat(256), [], {})), weight: 1 },
    );
    const id = fc.oneof({ arbitrary: fc.constant('order_1'), weight: 4 }, { arbitrary: value, weight: 1 });
    const amount = fc.oneof({ arbitrary: fc.integer({ min: 1 }), weight: 4 }, { arbitrary: value, weight: 1 });
    const others = fc.dictionary(fc.constantFrom(...FIELDS, 'unknown'), value, { maxKeys: 3 });
    let parsed = 0;
    fc.assert(
      fc.property(id, amount, others, (transaction_id, amount_cents, fields) => {
        const body = { ...fields, transaction_id, amount_cents };
        const plain = parse(body);
        if (plain === undefined) return;
        parsed += 1;
        expect(trackSale.body.parse(body)).toEqual(plain);
      }),
      { numRuns: 1_000 },
    );
    expect(parsed).toBeGreaterThan(100);
  });
});
