import { describe, expect, it } from 'vitest';
import { formatMoney, formatMoneyShort, formatPercent, mainCurrency } from './money.ts';

describe('formatMoney', () => {
  it.each([
    [4900, 'USD', '$49.00'],
    [4900, 'JPY', '¥4,900'],
    [4900, 'KWD', 'KWD 4.900'],
    [-1250, 'EUR', '-€12.50'],
    [0, 'USD', '$0.00'],
    [900_719_925_474_099, 'USD', '$9,007,199,254,740.99'],
  ])('writes %i %s with the decimals of its currency', (cents, currency, text) => {
    expect(formatMoney(cents, currency, 'en-US').replace(/\u00a0/g, ' ')).toBe(text);
  });
});

it('formatMoneyShort fits on an axis', () => {
  expect(formatMoneyShort(1_250_000, 'USD', 'en-US')).toBe('$12.5K');
  expect(formatMoneyShort(1_250_000, 'JPY', 'en-US')).toBe('¥1.3M');
});

it('mainCurrency is the preferred one if it occurs, otherwise the one with the most money', () => {
  const sums = [
    { currency: 'EUR', cents: 10 },
    { currency: 'USD', cents: 90 },
  ];
  const centsOf = (sum: { cents: number }) => sum.cents;
  expect(mainCurrency(sums, centsOf, 'EUR')).toBe('EUR');
  expect(mainCurrency(sums, centsOf, 'GBP')).toBe('USD');
  expect(mainCurrency([], centsOf, 'GBP')).toBe('GBP');
});

it('formatPercent shows a dash for a share of nothing', () => {
  expect(formatPercent(1, 8, 'en-US')).toBe('12.5%');
  expect(formatPercent(0, 0, 'en-US')).toBe('–');
});
