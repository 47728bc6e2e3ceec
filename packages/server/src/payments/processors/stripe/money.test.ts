import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shareOf, smallestUnits } from './money.ts';

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

describe('a share of an amount', () => {
  it.each([
    [10_000, 50, 100, 5_000],
    [10_000, 1, 3, 3_333],
    [10_000, 2, 3, 6_667],
    [1, 1, 2, 1],
    [9_007_199_254_740_991, 1, 1, 9_007_199_254_740_991],
    [10_000, 5, 0, 0],
  ])('of %i, %i of %i is %i', (amount, part, whole, share) => {
    expect(shareOf(amount, part, whole)).toBe(share);
  });

  it('is the whole amount for the whole, never more, and never negative', () => {
    fc.assert(
      fc.property(
        fc.nat(1e12),
        fc.integer({ min: 1, max: 1e12 }),
        fc.double({ min: 0, max: 1 }),
        (amount, whole, f) => {
          const share = shareOf(amount, Math.floor(whole * (Number.isNaN(f) ? 0 : f)), whole);
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(amount);
          expect(shareOf(amount, whole, whole)).toBe(amount);
        },
      ),
    );
  });
});
