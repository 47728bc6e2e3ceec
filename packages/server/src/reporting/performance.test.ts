import { describe, expect, it } from 'vitest';
import { changeOf, changeOfMoney, wholeDays } from './performance.ts';

describe('wholeDays', () => {
  it.each([
    ['2026-03-01T00:00:00.000Z', '2026-03-03T00:00:00.000Z', '2026-03-01', '2026-03-03'],
    ['2026-03-01T00:00:00.001Z', '2026-03-03T23:59:59.999Z', '2026-03-02', '2026-03-03'],
    ['2026-03-01T13:00:00.000Z', '2026-03-03T13:00:00.000Z', '2026-03-02', '2026-03-03'],
  ])('from %s to %s starts on %s and ends before %s', (from, to, first, last) => {
    expect(wholeDays(new Date(from), new Date(to))).toEqual({ from: new Date(first), to: new Date(last) });
  });

  it.each([
    ['2026-03-01T01:00:00.000Z', '2026-03-01T23:00:00.000Z'],
    ['2026-03-01T01:00:00.000Z', '2026-03-02T23:00:00.000Z'],
    ['2026-03-01T00:00:00.000Z', '2026-03-01T23:59:59.999Z'],
  ])('from %s to %s is empty', (from, to) => {
    expect(wholeDays(new Date(from), new Date(to))).toEqual({ from: new Date(to), to: new Date(to) });
  });
});

describe('changeOfMoney', () => {
  const money = (currency: string, cents: number) => ({
    currency,
    revenueCents: cents,
    refundedCents: 0,
    commissionCents: cents / 5,
  });

  it('compares amounts by currency, for every currency of either period', () => {
    expect(changeOfMoney([money('USD', 300), money('EUR', 100)], [money('USD', 200), money('JPY', 50)])).toEqual([
      { currency: 'EUR', revenueCents: null, refundedCents: null, commissionCents: null },
      { currency: 'JPY', revenueCents: -1, refundedCents: null, commissionCents: -1 },
      { currency: 'USD', revenueCents: 0.5, refundedCents: null, commissionCents: 0.5 },
    ]);
  });

  it('relies on changeOf, which is null if the previous value is 0', () => {
    expect([changeOf(1, 0), changeOf(0, 0), changeOf(0, 4), changeOf(5, 4)]).toEqual([null, null, -1, 0.25]);
  });
});
