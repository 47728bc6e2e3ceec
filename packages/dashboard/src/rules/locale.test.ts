import { expect, it } from 'vitest';
import { englishIn } from './locale.ts';
import { formatMoney } from './money.ts';
import { formatDateTime } from './time.ts';

it.each([
  ['en-US', 'en-US'],
  ['en-GB', 'en-GB'],
  ['de-DE', 'en-DE'],
  ['de', 'en-DE'],
  ['zh-Hant-TW', 'en-TW'],
  ['eo', 'en-001'],
])('a browser in %s shows dates and numbers in %s', (browser, page) => expect(englishIn(browser)).toBe(page));

it('a German browser shows English months and amounts, and its own clock', () => {
  const at = new Date('2026-03-10T13:05:00Z');
  expect(formatDateTime(at, at, englishIn('de-DE'), 'UTC')).toBe('10 Mar, 13:05');
  expect(formatMoney(123_450, 'EUR', englishIn('de-DE'))).toBe('€1,234.50');
});
