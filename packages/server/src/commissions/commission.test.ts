import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commissionableCents, commissionFor, earnsCommission } from '../terms/earning.ts';
import type { Terms } from '../terms/terms.ts';
import { deductionFor } from './commission.ts';

const terms = (parts: Partial<Terms> = {}): Terms => ({
  version: 1,
  since: new Date(0),
  rules: [],
  type: 'percent',
  rate: '20',
  currency: 'USD',
  recurringMonths: null,
  holdDays: 30,
  base: 'net',
  attribution: 'first',
  ...parts,
});

const cents = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

/** A rate with up to four decimals, as text and as an exact number of ten-thousandths. */
const rate = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 12n - 1n }), fc.stringMatching(/^\d{0,4}$/))
  .map(([whole, fraction]) => ({
    text: fraction === '' ? `${whole}` : `${whole}.${fraction}`,
    tenThousandths: whole * 10_000n + BigInt(fraction.padEnd(4, '0')),
  }));

/** Whether `rounded` is `numerator / denominator` rounded half up: at most half a unit off, and up when exactly half. */
function isHalfUp(rounded: bigint, numerator: bigint, denominator: bigint): boolean {
  const twiceOff = 2n * (rounded * denominator - numerator);
  return -denominator < twiceOff && twiceOff <= denominator;
}

describe('commissionFor', () => {
  it.each([
    ['percent', '20', 4900, 980n],
    ['percent', '10', 5, 1n],
    ['percent', '10', 4, 0n],
    ['percent', '12.5', 1004, 126n],
    ['recurring_percent', '33.3333', 10_000, 3333n],
    ['percent', '0.0001', 500_000, 1n],
    ['percent', '50', 9_007_199_254_740_991, 4_503_599_627_370_496n],
  ] as const)('%s at %s of %d is %d, in the currency of the sale', (type, rateText, amountCents, expected) => {
    expect(commissionFor(terms({ type, rate: rateText }), { amountCents, currency: 'EUR' })).toEqual({
      cents: expected,
      currency: 'EUR',
    });
  });

  it.each([
    ['fixed', '12.5', 'USD', 1250n],
    ['fixed', '500', 'JPY', 500n],
    ['fixed', '0.5', 'JPY', 1n],
    ['recurring_fixed', '1.5', 'KWD', 1500n],
    ['fixed', '0.0001', 'CLF', 1n],
    ['fixed', '0.0049', 'USD', 0n],
  ] as const)('%s at %s %s is %d of its smallest unit', (type, rateText, currency, expected) => {
    const sale = { amountCents: 77, currency: 'EUR' };
    expect(commissionFor(terms({ type, rate: rateText, currency }), sale)).toEqual({ cents: expected, currency });
  });

  it('is never more than half a unit off the exact percentage, and rounds exact halves up', () => {
    fc.assert(
      fc.property(
        rate,
        cents,
        fc.constantFrom('percent', 'recurring_percent'),
        ({ text, tenThousandths }, amount, type) => {
          const earned = commissionFor(terms({ type, rate: text }), { amountCents: amount, currency: 'USD' });
          return isHalfUp(earned.cents, BigInt(amount) * tenThousandths, 1_000_000n);
        },
      ),
    );
  });

  it('is never more than half a unit off a fixed rate, and rounds exact halves up', () => {
    const currency = fc.constantFrom(['JPY', 1n], ['USD', 100n], ['KWD', 1000n], ['UYW', 10_000n]) as fc.Arbitrary<
      [string, bigint]
    >;
    fc.assert(
      fc.property(rate, currency, cents, ({ text, tenThousandths }, [code, units], amountCents) => {
        const fixed = terms({ type: 'fixed', rate: text, currency: code });
        const earned = commissionFor(fixed, { amountCents, currency: 'EUR' });
        return earned.currency === code && isHalfUp(earned.cents, tenThousandths * units, 10_000n);
      }),
    );
  });

  it.each(['20', '20.0', '20.0000'])('treats the rate %s the same however it is written', (rateText) => {
    expect(commissionFor(terms({ rate: rateText }), { amountCents: 4900, currency: 'USD' }).cents).toBe(980n);
  });
});

describe('the base of a percentage', () => {
  const paid = { amountCents: 11_900, taxCents: 1_900, shippingCents: 499, currency: 'EUR' };

  it.each<[string, Partial<Terms>, object, bigint]>([
    ['gross: all that was paid', { base: 'gross' }, {}, 2_380n],
    ['net: without tax and shipping', { base: 'net' }, {}, 1_900n],
    ['net, rounded half up: half of 9,505', { base: 'net', rate: '50' }, { shippingCents: 495 }, 4_753n],
    ['net, tax not reported', { base: 'net' }, { taxCents: null }, 2_280n],
    ['net, nothing reported', { base: 'net' }, { taxCents: undefined, shippingCents: undefined }, 2_380n],
    ['net, nothing left', { base: 'net' }, { taxCents: 11_401 }, 0n],
    ['a fixed amount, which has none', { base: 'net', type: 'fixed', rate: '5' }, {}, 500n],
  ])('%s', (_case, parts, changed, expected) => {
    expect(commissionFor(terms(parts), { ...paid, ...changed }).cents).toBe(expected);
  });

  it.each<[Partial<Terms>, number | null]>([
    [{ base: 'gross' }, 11_900],
    [{ base: 'net', type: 'recurring_percent' }, 9_501],
    [{ base: 'net', type: 'fixed' }, null],
    [{ base: 'gross', type: 'recurring_fixed' }, null],
  ])('of %o is %s', (parts, expected) => {
    expect(commissionableCents(terms(parts), paid)).toBe(expected);
  });
});

describe('earnsCommission', () => {
  const firstSaleAt = new Date('2026-01-31T12:00:00.000Z');
  const later = new Date('2036-01-31T12:00:00.000Z');

  it.each([
    ['percent', 'first', true],
    ['fixed', 'first', true],
    ['recurring_percent', 'first', true],
    ['recurring_fixed', 'first', true],
    ['percent', 'renewal', false],
    ['fixed', 'renewal', false],
    ['recurring_percent', 'renewal', true],
    ['recurring_fixed', 'renewal', true],
    ['percent', 'change', true],
    ['fixed', 'change', false],
    ['recurring_percent', 'change', true],
    ['recurring_fixed', 'change', false],
  ] as const)('%s, %s: %s', (type, period, earns) => {
    expect(earnsCommission(terms({ type }), period, firstSaleAt, later)).toBe(earns);
  });

  it('applies recurring_months to later payments only', () => {
    const limited = terms({ type: 'recurring_percent', recurringMonths: 1 });
    expect(earnsCommission(limited, 'renewal', firstSaleAt, later)).toBe(false);
    expect(earnsCommission(limited, 'first', firstSaleAt, later)).toBe(true);
    expect(earnsCommission(limited, 'renewal', null, later)).toBe(true);
    expect(earnsCommission(limited, 'change', firstSaleAt, later)).toBe(false);
  });

  it.each([
    ['2026-01-15T12:00:00.000Z', 1, '2026-02-15T12:00:00.000Z'],
    ['2026-01-31T12:00:00.000Z', 1, '2026-02-28T12:00:00.000Z'],
    ['2028-01-31T12:00:00.000Z', 1, '2028-02-29T12:00:00.000Z'],
    ['2028-02-29T00:00:00.000Z', 12, '2029-02-28T00:00:00.000Z'],
    ['2026-08-31T23:59:59.999Z', 3, '2026-11-30T23:59:59.999Z'],
    ['2026-12-31T12:00:00.000Z', 14, '2028-02-29T12:00:00.000Z'],
  ])('from %s for %d months, renewals before %s earn', (first, recurringMonths, end) => {
    const limited = terms({ type: 'recurring_fixed', recurringMonths });
    const earnsAt = (offsetMs: number) =>
      earnsCommission(limited, 'renewal', new Date(first), new Date(Date.parse(end) + offsetMs));
    expect(earnsAt(-1)).toBe(true);
    expect(earnsAt(0)).toBe(false);
  });

  it('ends on the same day of the month, or its last day if it is shorter, at the same time of day', () => {
    const date = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(date, fc.integer({ min: 1, max: 240 }), (first, recurringMonths) => {
        const month = first.getUTCMonth() + recurringMonths;
        const daysInMonth = new Date(Date.UTC(first.getUTCFullYear(), month + 1, 0)).getUTCDate();
        const day = Math.min(first.getUTCDate(), daysInMonth);
        const end = Date.UTC(first.getUTCFullYear(), month, day) + (first.getTime() % 86_400_000);
        const limited = terms({ type: 'recurring_percent', recurringMonths });
        expect(earnsCommission(limited, 'renewal', first, new Date(end - 1))).toBe(true);
        expect(earnsCommission(limited, 'renewal', first, new Date(end))).toBe(false);
      }),
    );
  });
});

describe('deductionFor', () => {
  /** A sale, its commission, and partial refunds that add up to the full amount. */
  const refundedSale = fc
    .tuple(fc.array(fc.integer({ min: 1, max: 2 ** 46 }), { minLength: 1, maxLength: 40 }), fc.maxSafeNat())
    .map(([refunds, commissionCents]) => ({
      refunds,
      commissionCents,
      amountCents: refunds.reduce((sum, refund) => sum + refund, 0),
    }));

  const deductionsOf = ({
    refunds,
    commissionCents,
    amountCents,
  }: {
    refunds: number[];
    commissionCents: number;
    amountCents: number;
  }) => {
    let refunded = 0;
    return refunds.map((refund) => {
      refunded += refund;
      return { refunded, deducted: deductionFor(commissionCents, refunded, amountCents) };
    });
  };

  it('deducts exactly the commission once the sale is fully refunded, over any series of partial refunds', () => {
    fc.assert(
      fc.property(refundedSale, (sale) => {
        const totals = deductionsOf(sale).map(({ deducted }) => BigInt(deducted));
        const steps = totals.map((total, index) => total - (totals[index - 1] ?? 0n));
        expect(steps.reduce((sum, step) => sum + step, 0n)).toBe(BigInt(sale.commissionCents));
      }),
    );
  });

  it('never decreases as more is refunded, never exceeds the commission, and is at most half a unit off', () => {
    fc.assert(
      fc.property(refundedSale, (sale) => {
        let before = 0;
        for (const { refunded, deducted } of deductionsOf(sale)) {
          expect(deducted).toBeGreaterThanOrEqual(before);
          expect(deducted).toBeLessThanOrEqual(sale.commissionCents);
          const exact = BigInt(sale.commissionCents) * BigInt(refunded);
          expect(isHalfUp(BigInt(deducted), exact, BigInt(sale.amountCents))).toBe(true);
          before = deducted;
        }
      }),
    );
  });

  it.each([
    [0, 1000, 0],
    [1, 1000, 0],
    [2, 1000, 1],
    [500, 1000, 167],
    [1000, 1000, 333],
  ])('of a commission of 333, with %d of %d refunded, is %d', (refunded, amount, expected) => {
    expect(deductionFor(333, refunded, amount)).toBe(expected);
  });
});
