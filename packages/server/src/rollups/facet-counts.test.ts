import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addClickCounts,
  type ClickCounts,
  limitResultCounts,
  type ResultCounts,
  readClickCounts,
  readResultCounts,
  writeClickCounts,
  writeResultCounts,
} from './facet-counts.ts';

const values = fc.constantFrom('', 'a', 'b', 'c', 'd', '__proto__', 'constructor');
const clickCounts = fc.uniqueArray(fc.tuple(values, fc.integer({ min: 1, max: 1000 })), {
  selector: ([value]) => value,
});
const total = (counts: ClickCounts) => [...counts.values()].reduce((sum, clicks) => sum + clicks, 0);

describe('addClickCounts', () => {
  it('loses no click, keeps every place, and has no more values than fit', () => {
    fc.assert(
      fc.property(fc.array(clickCounts, { maxLength: 5 }), fc.integer({ min: 1, max: 4 }), (steps, max) => {
        let counts: ClickCounts = new Map();
        let clicks = 0;
        for (const step of steps) {
          const before = [...counts.keys()];
          counts = addClickCounts(counts, new Map(step), max);
          clicks += total(new Map(step));
          expect(before.every((value) => counts.has(value))).toBe(true);
          expect(total(counts)).toBe(clicks);
          expect([...counts.keys()].filter((value) => value !== null).length).toBeLessThanOrEqual(max);
        }
        expect(readClickCounts(writeClickCounts(counts))).toEqual(counts);
      }),
    );
  });

  it('gives the places that are left to the values with the most clicks', () => {
    const known: ClickCounts = new Map([['old', 1]]);
    const added: ClickCounts = new Map([
      ['few', 2],
      ['many', 9],
      ['old', 1],
      ['some', 5],
    ]);
    expect(addClickCounts(known, added, 2)).toEqual(
      new Map([
        ['old', 2],
        ['many', 9],
        [null, 7],
      ]),
    );
  });
});

describe('limitResultCounts', () => {
  const row = fc.record<ResultCounts>({
    value: values,
    currency: fc.constantFrom(null, 'USD', 'EUR'),
    leads: fc.nat(5),
    firstSales: fc.nat(5),
    sales: fc.nat(5),
    revenueCents: fc.nat(),
    refundedCents: fc.nat(),
    commissionCents: fc.constantFrom(0, 7, Number.MAX_SAFE_INTEGER, 90_071_992_547_409_910n),
  });

  it('keeps every sum, by currency, in at most as many values as fit', () => {
    const sums = (rows: ResultCounts[], currency: string | null) =>
      rows
        .filter((each) => each.currency === currency)
        .reduce((sum, { sales, leads, commissionCents }) => sum + BigInt(sales + leads) + BigInt(commissionCents), 0n);
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), fc.integer({ min: 1, max: 4 }), (rows, max) => {
        const limited = limitResultCounts(rows, max);
        for (const currency of [null, 'USD', 'EUR']) expect(sums(limited, currency)).toBe(sums(rows, currency));
        expect(new Set(limited.map(({ value }) => value).filter((value) => value !== null)).size).toBeLessThanOrEqual(
          max,
        );
        expect(readResultCounts(writeResultCounts(limited))).toEqual(limited);
      }),
    );
  });
});
