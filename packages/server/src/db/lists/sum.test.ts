import { expect, it } from 'vitest';
import { add, toSum } from './sum.ts';

it('a sum is a number for as long as that is exact', () => {
  expect(toSum('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
  expect(toSum('-9007199254740991')).toBe(Number.MIN_SAFE_INTEGER);
  expect(toSum('27021597764222973')).toBe(27_021_597_764_222_973n);
  expect(add(9_007_199_254_740_991, 2)).toBe(9_007_199_254_740_993n);
  expect(add(9_007_199_254_740_993n, -2)).toBe(9_007_199_254_740_991);
  expect(add(1, 2)).toBe(3);
});
