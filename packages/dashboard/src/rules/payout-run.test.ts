import { describe, expect, it } from 'vitest';
import { endOfDay, findByName, masked, pageOf, sumsOf } from './payout-run.ts';

describe('a page of rows', () => {
  const rows = [1, 2, 3, 4, 5];

  it('begins after as many rows as the cursor says, and names the next one', () => {
    expect(pageOf(rows, undefined, 2)).toEqual({ rows: [1, 2], next: '2' });
    expect(pageOf(rows, '2', 2)).toEqual({ rows: [3, 4], next: '4' });
    expect(pageOf(rows, '4', 2)).toEqual({ rows: [5], next: null });
  });

  it('is the first one if the cursor is none, or beyond the end', () => {
    for (const cursor of ['x', '-3', '5', '99']) expect(pageOf(rows, cursor, 2).rows).toEqual([1, 2]);
    expect(pageOf([], '4', 2)).toEqual({ rows: [], next: null });
  });
});

it('partners are found by part of their name, in any case', () => {
  const rows = [{ partner_name: 'Ann Müller' }, { partner_name: 'Bob' }];
  expect(findByName(rows, ' MÜLL ')).toEqual([{ partner_name: 'Ann Müller' }]);
  expect(findByName(rows, '')).toEqual(rows);
});

it('sums are by currency, in the order of the codes', () => {
  const rows = [
    { currency: 'USD', amount_cents: 5 },
    { currency: 'EUR', amount_cents: 2_000 },
    { currency: 'USD', amount_cents: 10 },
  ];
  expect(sumsOf(rows)).toEqual([
    { currency: 'EUR', cents: 2_000 },
    { currency: 'USD', cents: 15 },
  ]);
});

it('a cutoff includes its whole day', () => {
  expect(endOfDay('2026-10-31')).toBe('2026-10-31T23:59:59.999Z');
});

it('of an account number, only the beginning and the end are shown, and nothing of a short one', () => {
  expect(masked('DE89 3704 0044 0532 0130 00')).toBe('DE89 •••• 3000');
  expect(masked('021000021')).toBe('•••• 0021');
  expect(masked('12345678')).toBe('••••');
});
