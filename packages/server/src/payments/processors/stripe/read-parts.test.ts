import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { money } from './fields.ts';
import { readIntentParts, readInvoiceParts, readSessionParts } from './read-parts.ts';

const usd = { currency: 'usd' };

describe('the tax and shipping of a checkout', () => {
  const session = { ...usd, amount_total: 11_900, total_details: { amount_tax: 1_900, amount_shipping: 500 } };

  it.each<[string, object, object]>([
    ['come from its totals', {}, { taxCents: 1_900, shippingCents: 500 }],
    [
      'leave the tax on shipping to the tax',
      { shipping_cost: { amount_subtotal: 595, amount_tax: 95, amount_total: 595 } },
      { taxCents: 1_900, shippingCents: 500 },
    ],
    [
      'leave out a discount on shipping',
      { shipping_cost: { amount_subtotal: 500, amount_tax: 0, amount_total: 400 } },
      { taxCents: 1_900, shippingCents: 400 },
    ],
    ['may be nothing', { total_details: { amount_tax: 0, amount_shipping: 0 } }, { taxCents: 0, shippingCents: 0 }],
    ['may be unknown', { total_details: null }, {}],
    ['may be known in part', { total_details: { amount_tax: 1_900, amount_shipping: null } }, { taxCents: 1_900 }],
    ['may be all of it', { total_details: { amount_tax: 11_900 } }, { taxCents: 11_900 }],
    ['are not used if they exceed the total', { total_details: { amount_tax: 11_900, amount_shipping: 1 } }, {}],
    ['are not used if they are no amounts', { total_details: { amount_tax: -1, amount_shipping: '5' } }, {}],
    ['are not used without a total', { amount_total: null }, {}],
    [
      'are counted in the smallest unit of the currency',
      { currency: 'isk', amount_total: 119_000, total_details: { amount_tax: 19_000, amount_shipping: 5_000 } },
      { taxCents: 190, shippingCents: 50 },
    ],
  ])('%s', (_what, changed, parts) => {
    expect(readSessionParts({ ...session, ...changed })).toEqual(parts);
  });
});

describe('the tax and shipping of an invoice', () => {
  const invoice = { ...usd, amount_paid: 11_900, total: 11_900 };
  const shipping_cost = { amount_subtotal: 500, amount_tax: 95, amount_total: 595 };

  it.each<[string, object, object]>([
    ['are read from the total without tax', { total_excluding_tax: 10_000 }, { taxCents: 1_900 }],
    ['are read from the newest list', { total_taxes: [{ amount: 1_500 }, { amount: 400 }] }, { taxCents: 1_900 }],
    [
      'are read from the list before it',
      { total_tax_amounts: [{ amount: 1_900, inclusive: true }] },
      { taxCents: 1_900 },
    ],
    ['are read from the oldest field', { tax: 1_900 }, { taxCents: 1_900 }],
    [
      'include the tax on shipping',
      { total_excluding_tax: 9_905, total_taxes: [{ amount: 1_900 }], shipping_cost },
      { taxCents: 1_995, shippingCents: 500 },
    ],
    ['may be nothing', { total_taxes: [], amount_shipping: 0 }, { taxCents: 0, shippingCents: 0 }],
    ['may be unknown', {}, {}],
    [
      'count in proportion if a balance paid the rest',
      { amount_paid: 5_950, tax: 1_900, shipping_cost },
      { taxCents: 950, shippingCents: 250 },
    ],
    ['are rounded half up', { amount_paid: 1, total: 2, tax: 1 }, { taxCents: 1 }],
    [
      'are at most what was paid, each rounded up',
      { amount_paid: 1, total: 2, tax: 1, amount_shipping: 1 },
      { taxCents: 1, shippingCents: 0 },
    ],
    ['are complete if more was paid than invoiced', { amount_paid: 20_000, tax: 1_900 }, { taxCents: 1_900 }],
    ['are nothing if nothing was paid', { amount_paid: 0, tax: 1_900 }, { taxCents: 0 }],
    ['are not used if the total without tax exceeds the total', { total_excluding_tax: 12_000 }, {}],
    ['are not used if a part of the list is no amount', { total_taxes: [{ amount: 1 }, {}] }, {}],
  ])('%s', (_what, changed, parts) => {
    expect(readInvoiceParts({ ...invoice, ...changed })).toEqual(parts);
  });

  it('never exceed what was paid, whatever the figures', () => {
    const figure = fc.oneof(
      fc.nat(),
      fc.nat({ max: 20 }),
      fc.constant(null),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    const currency = fc.constantFrom('usd', 'jpy', 'isk', 'ugx', 'kwd');
    fc.assert(
      fc.property(figure, figure, figure, figure, figure, currency, (amount_paid, total, net, tax, shipping, code) => {
        const parts = readInvoiceParts({
          currency: code,
          amount_paid,
          total,
          total_excluding_tax: net,
          tax,
          amount_shipping: shipping,
        });
        const { taxCents = 0, shippingCents = 0 } = parts;
        expect(Math.min(taxCents, shippingCents)).toBeGreaterThanOrEqual(0);
        expect(taxCents + shippingCents).toBeLessThanOrEqual(money(amount_paid, code).amountCents);
      }),
    );
  });
});

describe('the tax and shipping of a payment intent', () => {
  const intent = { ...usd, amount: 11_900, amount_received: 11_900 };

  it.each<[string, object, object]>([
    [
      'are what the shop put there',
      { amount_details: { tax: { total_tax_amount: 1_900 }, shipping: { amount: 500 } } },
      { taxCents: 1_900, shippingCents: 500 },
    ],
    [
      'count in proportion if less was captured',
      { amount_received: 5_950, amount_details: { tax: { total_tax_amount: 1_900 } } },
      { taxCents: 950 },
    ],
    ['may be unknown', { amount_details: { tip: {} } }, {}],
  ])('%s', (_what, changed, parts) => {
    expect(readIntentParts({ ...intent, ...changed })).toEqual(parts);
  });
});
