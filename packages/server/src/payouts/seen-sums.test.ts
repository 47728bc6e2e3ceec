import { expect, it } from 'vitest';
import { areSeenSums } from './seen-sums.ts';

const EUR = { currency: 'EUR', cents: 10_000 };
const USD = { currency: 'USD', cents: 5_000 };

it.each([
  ['in another order', [USD, EUR], true],
  ['with another amount', [EUR, { ...USD, cents: 5_001 }], false],
  ['without a currency', [EUR], false],
  ['with a currency twice, in place of another', [EUR, EUR], false],
  ['with a currency more', [EUR, USD, { currency: 'GBP', cents: 1 }], false],
  ['with another currency', [EUR, { ...USD, currency: 'GBP' }], false],
])('sums that were seen %s', (_how, seen, expected) => {
  expect(areSeenSums([EUR, USD], seen)).toBe(expected);
});

it('compares amounts beyond the safe integers exactly', () => {
  const large = { currency: 'IDR', cents: 9007199254740993n };
  expect(areSeenSums([large], [large])).toBe(true);
  expect(areSeenSums([large], [{ currency: 'IDR', cents: 9007199254740992n }])).toBe(false);
});
