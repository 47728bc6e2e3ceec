import { expect, it } from 'vitest';
import { sumByCurrency } from './sum-by-currency.ts';

it('adds up each currency by itself and leaves out what is zero', () => {
  const rows = [
    { currency: 'USD', due: 1_000 },
    { currency: 'EUR', due: 250 },
    { currency: 'USD', due: 5 },
    { currency: 'JPY', due: 0 },
  ];
  expect(sumByCurrency(rows, 'due')).toEqual([
    { currency: 'EUR', cents: 250 },
    { currency: 'USD', cents: 1_005 },
  ]);
});
