import { describe, expect, it } from 'vitest';
import { smallestUnits } from './money.ts';

describe('a Stripe amount in the smallest unit of its currency', () => {
  it.each([
    ['two decimals', 'USD', 4_999, 4_999],
    ['two decimals', 'EUR', 1, 1],
    ['no decimals', 'JPY', 5_000, 5_000],
    ['no decimals', 'KRW', 12_345, 12_345],
    ['no decimals', 'VND', 200_000, 200_000],
    ['three decimals', 'KWD', 5_120, 5_120],
    ['three decimals', 'BHD', 10, 10],
    ['two decimals at Stripe, none in ISO 4217', 'ISK', 10_000, 100],
    ['two decimals at Stripe, none in ISO 4217', 'UGX', 500, 5],
    ['whole units at Stripe, two decimals in ISO 4217', 'MGA', 700, 70_000],
    ['two decimals for charges, though whole units in payouts', 'HUF', 100_000, 100_000],
    ['two decimals for charges, though whole units in payouts', 'TWD', 80_000, 80_000],
  ])('%s: %s %i is %i', (_decimals, currency, amount, cents) => {
    expect(smallestUnits(amount, currency)).toBe(cents);
  });
});
