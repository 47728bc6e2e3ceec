import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shareOf } from './share-of.ts';

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
