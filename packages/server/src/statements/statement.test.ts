import { expect, it } from 'vitest';
import { amountText } from './statement.ts';

it.each([
  [0, 'USD', '0.00 USD'],
  [5, 'USD', '0.05 USD'],
  [-5, 'EUR', '-0.05 EUR'],
  [123_456, 'USD', '1,234.56 USD'],
  [1_234_567, 'JPY', '1,234,567 JPY'],
  [0, 'JPY', '0 JPY'],
  [1_234, 'KWD', '1.234 KWD'],
  [-7, 'KWD', '-0.007 KWD'],
  [12_345, 'CLF', '1.2345 CLF'],
  [Number.MAX_SAFE_INTEGER, 'USD', '90,071,992,547,409.91 USD'],
  [-90_071_992_547_409_910n, 'USD', '-900,719,925,474,099.10 USD'],
])('writes %d in %s as %s', (cents, currency, expected) => {
  expect(amountText(cents, currency)).toBe(expected);
});
