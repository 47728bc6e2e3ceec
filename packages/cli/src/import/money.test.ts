import { describe, expect, it } from 'vitest';
import { centsOf } from './money.ts';

describe('an amount of another tool', () => {
  it.each([
    [4900, 'USD', 'smallest', 4900],
    ['4900', 'USD', 'smallest', 4900],
    [49, 'USD', 'whole', 4900],
    ['49.5', 'USD', 'whole', 4950],
    [12.34, 'EUR', 'whole', 1234],
    ['0.07', 'USD', 'whole', 7],
    [4900, 'JPY', 'smallest', 4900],
    ['4900', 'JPY', 'whole', 4900],
    ['1.234', 'KWD', 'whole', 1234],
    ['-49.00', 'USD', 'whole', -4900],
    ['-0', 'USD', 'whole', 0],
    ['999999999999999', 'USD', 'smallest', 999_999_999_999_999],
  ] as const)('%s %s in %s units is %d of the smallest unit', (amount, currency, unit, cents) => {
    expect(centsOf(amount, currency, unit)).toEqual({ cents, problem: null });
  });

  it.each([
    ['12.345', 'USD', 'whole', '"12.345" has more decimals than USD, which has 2'],
    ['49.000', 'USD', 'whole', '"49.000" has more decimals than USD, which has 2'],
    [12.345, 'USD', 'whole', '"12.345" has more decimals than USD, which has 2'],
    ['49.5', 'JPY', 'whole', '"49.5" has more decimals than JPY, which has 0'],
    [49.5, 'USD', 'smallest', '"49.5" is not a whole number of the smallest unit of USD'],
    ['49.00', 'USD', 'smallest', '"49.00" is not a whole number of the smallest unit of USD'],
    [1e21, 'USD', 'smallest', '"1e+21" is not an amount'],
    ['', 'USD', 'whole', '"" is not an amount'],
    ['49,00', 'USD', 'whole', '"49,00" is not an amount'],
    ['$49', 'USD', 'whole', '"$49" is not an amount'],
    ['٤٩', 'USD', 'whole', '"٤٩" is not an amount'],
    ['999999999999999', 'USD', 'whole', '"999999999999999" is too large'],
    ['49', 'USDT', 'whole', '"USDT" is not a currency'],
  ] as const)('%s %s in %s units is refused', (amount, currency, unit, problem) => {
    expect(centsOf(amount, currency, unit)).toEqual({ cents: null, problem });
  });
});
