import { expect, it } from 'vitest';
import { describePage } from './page-position.ts';

it('says which rows of how many a page has', () => {
  const page = { shown: 25, size: 25, position: 1 };
  expect(describePage({ count: 8_990, noun: 'partners', page })).toBe('26–50 of 8,990 partners');
});

it('says on the last page where the list ends', () => {
  const page = { shown: 3, size: 50, position: 2 };
  expect(describePage({ count: 103, noun: 'links', page })).toBe('101–103 of 103 links');
});

it('says only how many there are where the page is not known', () => {
  expect(describePage({ count: 1, noun: 'coupons', page: null })).toBe('1 coupon');
});
