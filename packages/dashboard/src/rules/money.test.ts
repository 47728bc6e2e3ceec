import { describe, expect, it } from 'vitest';
import { formatMoney, formatMoneyShort, formatShare, mainCurrency } from './money.ts';

describe('money', () => {
  it.each([
    [4900, 'USD', '$49.00'],
    [4900, 'JPY', '¥4,900'],
    [4900, 'KWD', 'KWD 4.900'],
    [-1250, 'EUR', '-€12.50'],
    [0, 'USD', '$0.00'],
    [900_719_925_474_099, 'USD', '$9,007,199,254,740.99'],
  ])('%i of %s is written with the decimals of its currency', (cents, currency, text) => {
    expect(formatMoney(cents, currency, 'en-US').replace(/\u00a0/g, ' ')).toBe(text);
  });

  it('is short on an axis', () => {
    expect(formatMoneyShort(1_250_000, 'USD', 'en-US')).toBe('$12.5K');
    expect(formatMoneyShort(1_250_000, 'JPY', 'en-US')).toBe('¥1.3M');
  });

  it('shows the program’s own currency first where it occurs, otherwise the one with most money', () => {
    const parts = [
      { currency: 'EUR', cents: 10 },
      { currency: 'USD', cents: 90 },
    ];
    const cents = (part: { cents: number }) => part.cents;
    expect(mainCurrency(parts, cents, 'EUR')).toBe('EUR');
    expect(mainCurrency(parts, cents, 'GBP')).toBe('USD');
    expect(mainCurrency([], cents, 'GBP')).toBe('GBP');
  });
});

it('a share of nothing is a dash', () => {
  expect(formatShare(1, 8, 'en-US')).toBe('12.5%');
  expect(formatShare(0, 0, 'en-US')).toBe('–');
});
