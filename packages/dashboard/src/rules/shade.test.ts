import { expect, it } from 'vitest';
import { shadeLimits, shadeOf } from './shade.ts';

it('values are shaded by their share of the largest one', () => {
  expect([0, -5, 1, 25, 26, 100].map((value) => shadeOf(value, 100))).toEqual([0, 0, 1, 1, 2, 4]);
  expect(shadeOf(5, 0)).toBe(0);
});

it('a legend has the largest number of each shade, and no shade that no number has', () => {
  const limits = (largest: number) => shadeLimits(largest).map(({ shade, upTo }) => [shade, upTo]);
  expect(limits(17_001)).toEqual([
    [1, 4_250],
    [2, 8_500],
    [3, 12_750],
    [4, 17_001],
  ]);
  expect(limits(3)).toEqual([
    [2, 1],
    [3, 2],
    [4, 3],
  ]);
  expect([limits(1), limits(0), limits(-7)]).toEqual([[[4, 1]], [], []]);
});

it('every number has the first shade of the legend that goes as far', () => {
  for (const largest of [1, 2, 3, 5, 8, 99]) {
    for (let value = 1; value <= largest; value += 1) {
      const shown = shadeLimits(largest).find(({ upTo }) => value <= upTo)?.shade;
      expect([largest, value, shadeOf(value, largest)]).toEqual([largest, value, shown]);
    }
  }
});
