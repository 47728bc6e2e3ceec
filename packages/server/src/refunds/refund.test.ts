import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EarlierRefund, judgeRefund, judgeTotal, type NewRefund, type RefundableSale } from './refund.ts';

const refund = (amountCents?: number, refundKey?: string): NewRefund => ({
  transactionId: 'order_1',
  amountCents,
  reason: undefined,
  refundKey,
  requestId: null,
});

const sale = (fields: Partial<RefundableSale> = {}): RefundableSale => ({
  id: 1,
  customerId: 2,
  partnerId: 3,
  amountCents: 10_000,
  refundedCents: 0,
  // Without a payment processor, everything refunded was reported.
  reportedCents: fields.refundedCents ?? 0,
  disputedCents: 0,
  taxCents: null,
  base: 'net',
  taxOnlyCents: 0,
  currency: 'USD',
  isTest: false,
  commission: { id: 4, cents: 2_000, deductedCents: 0, stage: 'pending' },
  overrides: [],
  ...fields,
});

const commission = (deductedCents: number, stage = 'pending') => ({ id: 4, cents: 2_000, deductedCents, stage });

const earlier: EarlierRefund = {
  refundId: 're_1',
  amountCents: 3_000,
  deductionCents: 600,
  status: 'partially_reversed',
};

describe('judgeRefund records', () => {
  it.each([
    ['the rest without an amount', refund(), sale(), 'reversed', 10_000, 2_000],
    ['the rest for the amount 0', refund(0), sale(), 'reversed', 10_000, 2_000],
    ['the whole amount', refund(10_000), sale(), 'reversed', 10_000, 2_000],
    ['a part', refund(2_500), sale(), 'partially_reversed', 2_500, 500],
    ['a part too small for a cent', refund(2), sale(), 'partially_reversed', 2, 0],
    ['a part worth half a cent, rounded up', refund(5), sale(), 'partially_reversed', 5, 1],
    [
      'the rest after a part',
      refund(),
      sale({ refundedCents: 2_500, commission: commission(500) }),
      'reversed',
      7_500,
      1_500,
    ],
    ['a second part', refund(5), sale({ refundedCents: 5, commission: commission(1) }), 'partially_reversed', 5, 1],
    [
      'exactly what is left',
      refund(1),
      sale({ refundedCents: 9_999, commission: commission(2_000) }),
      'reversed',
      1,
      0,
    ],
    ['an approved commission', refund(), sale({ commission: commission(0, 'approved') }), 'reversed', 10_000, 2_000],
    ['a paid commission', refund(), sale({ commission: commission(0, 'paid') }), 'reversed', 10_000, 2_000],
    [
      'a commission of 0',
      refund(),
      sale({ commission: { id: 4, cents: 0, deductedCents: 0, stage: 'pending' } }),
      'reversed',
      10_000,
      0,
    ],
    ['no commission', refund(), sale({ commission: null }), 'no_commission', 10_000, 0],
    ['a part of a sale without a commission', refund(7), sale({ commission: null }), 'no_commission', 7, 0],
    ['a rejected commission', refund(), sale({ commission: commission(0, 'rejected') }), 'no_commission', 10_000, 0],
  ] as const)('%s', (_case, requested, current, status, amountCents, deductionCents) => {
    const reason = {
      reversed: 'commission_reversed',
      partially_reversed: 'commission_partially_reversed',
      no_commission: 'refund_without_commission',
    }[status];
    expect(judgeRefund(requested, current, null)).toEqual({
      is: 'recorded',
      reason,
      status,
      amountCents,
      deductionCents,
      reportedCents: amountCents,
    });
  });
});

describe('judgeRefund counts a refund once that the payment processor has already reported', () => {
  const reportedByProcessor = (refundedCents: number, reportedCents = 0, deductedCents = refundedCents / 5) =>
    sale({ refundedCents, reportedCents, commission: commission(deductedCents) });

  it.each([
    ['the same part', refund(2_500), reportedByProcessor(2_500), 'refund_known', 'partially_reversed', 0, 0, 2_500],
    ['a smaller part', refund(1_000), reportedByProcessor(2_500), 'refund_known', 'partially_reversed', 0, 0, 1_000],
    [
      'a larger part',
      refund(4_000),
      reportedByProcessor(2_500),
      'commission_partially_reversed',
      'partially_reversed',
      1_500,
      300,
      4_000,
    ],
    [
      'a second part',
      refund(1_000),
      reportedByProcessor(2_500, 2_500),
      'commission_partially_reversed',
      'partially_reversed',
      1_000,
      200,
      1_000,
    ],
    ['everything', refund(), reportedByProcessor(2_500), 'commission_reversed', 'reversed', 7_500, 1_500, 10_000],
    [
      'everything, already refunded in full',
      refund(),
      reportedByProcessor(10_000),
      'refund_known',
      'reversed',
      0,
      0,
      10_000,
    ],
    [
      'a part, already refunded in full',
      refund(100),
      reportedByProcessor(10_000),
      'refund_known',
      'reversed',
      0,
      0,
      100,
    ],
  ] as const)('%s', (_case, requested, current, reason, status, amountCents, deductionCents, reportedCents) => {
    expect(judgeRefund(requested, current, null)).toEqual({
      is: 'recorded',
      reason,
      status,
      amountCents,
      deductionCents,
      reportedCents,
    });
  });

  it('and refuses more than the rest of the sale', () => {
    expect(judgeRefund(refund(7_501), reportedByProcessor(10_000, 2_500), null)).toEqual({
      is: 'refused',
      reason: 'refund_too_large',
      leftCents: 7_500,
    });
  });
});

describe('judgeTotal adjusts a sale to', () => {
  const refundedSale = (refundedCents: number, stage = 'pending') =>
    sale({ refundedCents, reportedCents: 0, commission: commission(refundedCents / 5, stage) });

  it.each([
    ['the same total', refundedSale(2_500), 2_500, { is: 'unchanged' }],
    [
      'a larger part',
      refundedSale(2_500),
      4_000,
      changed('commission_partially_reversed', 'partially_reversed', 1_500, 300),
    ],
    ['everything', refundedSale(2_500), 10_000, changed('commission_reversed', 'reversed', 7_500, 1_500)],
    ['more than everything', refundedSale(2_500), 99_999, changed('commission_reversed', 'reversed', 7_500, 1_500)],
    [
      'a smaller part, restoring the rest',
      refundedSale(4_000),
      1_000,
      changed('refund_restored', 'restored', -3_000, -600),
    ],
    ['nothing, restoring everything', refundedSale(10_000), 0, changed('refund_restored', 'restored', -10_000, -2_000)],
    [
      'a rejected commission',
      refundedSale(0, 'rejected'),
      500,
      changed('refund_without_commission', 'no_commission', 500, 0),
    ],
    [
      'nothing, without a commission',
      { ...refundedSale(500), commission: null },
      0,
      changed('refund_restored', 'restored', -500, 0),
    ],
  ])('%s', (_case, current, totalCents, verdict) => {
    expect(judgeTotal(current, totalCents)).toEqual(verdict);
  });

  function changed(reason: string, status: string, amountCents: number, deductionCents: number) {
    return { is: 'changed', reason, status, amountCents, deductionCents };
  }
});

describe('judgeRefund refuses more than is left', () => {
  it.each([
    [10_001, 0, 10_000],
    [7_501, 2_500, 7_500],
    [Number.MAX_SAFE_INTEGER, 9_999, 1],
  ])('%i after %i, with %i left', (amountCents, refundedCents, leftCents) => {
    expect(judgeRefund(refund(amountCents), sale({ refundedCents }), null)).toEqual({
      is: 'refused',
      reason: 'refund_too_large',
      leftCents,
    });
  });

  it('even without a commission', () => {
    expect(judgeRefund(refund(10_001), sale({ commission: null }), null)).toMatchObject({ is: 'refused' });
  });
});

describe('judgeRefund recognizes a repeated refund', () => {
  it.each([
    ['a partial refund with its refund_id', refund(3_000, 're_1'), 3_000, 'refund_repeated'],
    ['a partial refund with its refund_id, another amount', refund(9_000, 're_1'), 3_000, 'refund_repeated'],
    ['a partial refund after the rest was refunded', refund(3_000, 're_1'), 10_000, 'refund_repeated'],
    ['a full refund', refund(), 10_000, 'already_refunded'],
    ['a full refund with the amount 0', refund(0), 10_000, 'already_refunded'],
    ['a full refund that names the whole amount', refund(10_000), 10_000, 'already_refunded'],
    ['a full refund with its refund_id', refund(undefined, 're_1'), 10_000, 'already_refunded'],
    ['a refund_id sent without amount while something is left', refund(undefined, 're_1'), 3_000, 'refund_repeated'],
  ] as const)('%s: %s', (_case, requested, refundedCents, reason) => {
    expect(judgeRefund(requested, sale({ refundedCents }), earlier)).toEqual({ is: 'repeated', reason, earlier });
  });
});

describe('any series of refunds', () => {
  const cents = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
  const series = fc.record({
    amountCents: cents,
    commissionCents: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
    shares: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 12 }),
  });

  it('deducts exactly the whole commission by the time the sale is fully refunded, and never a negative amount', () => {
    fc.assert(
      fc.property(series, ({ amountCents, commissionCents, shares }) => {
        let current = sale({
          amountCents,
          commission: { id: 4, cents: commissionCents, deductedCents: 0, stage: 'pending' },
        });
        const amounts = shares.map((share) => Math.max(1, Math.floor((amountCents * share) / shares.length)));
        for (const amount of [...amounts, undefined]) {
          const left = current.amountCents - current.refundedCents;
          if (left === 0) break;
          const verdict = judgeRefund(refund(amount), current, null);
          if (verdict.is === 'refused') {
            expect(amount).toBeGreaterThan(left);
            continue;
          }
          if (verdict.is !== 'recorded') throw new Error('A refund without an id repeats nothing');
          expect(verdict.deductionCents).toBeGreaterThanOrEqual(0);
          expect(verdict.status).toBe(verdict.amountCents === left ? 'reversed' : 'partially_reversed');
          current = {
            ...current,
            refundedCents: current.refundedCents + verdict.amountCents,
            reportedCents: current.reportedCents + verdict.reportedCents,
            commission: {
              id: 4,
              cents: commissionCents,
              deductedCents: (current.commission?.deductedCents ?? 0) + verdict.deductionCents,
              stage: 'pending',
            },
          };
        }
        expect(current.refundedCents).toBe(amountCents);
        expect(current.commission?.deductedCents).toBe(commissionCents);
      }),
    );
  });

  it('deducts within half a cent of the exact share after each refund', () => {
    fc.assert(
      fc.property(cents, cents, fc.double({ min: 0, max: 1, noNaN: true }), (amountCents, commissionCents, share) => {
        const amount = Math.min(amountCents, Math.max(1, Math.floor(amountCents * share)));
        const current = sale({
          amountCents,
          commission: { id: 4, cents: commissionCents, deductedCents: 0, stage: 'pending' },
        });
        const verdict = judgeRefund(refund(amount), current, null);
        if (verdict.is !== 'recorded') throw new Error('The refund is within the sale');
        const exact = BigInt(commissionCents) * BigInt(amount);
        const deducted = BigInt(verdict.deductionCents) * BigInt(amountCents);
        const error = deducted > exact ? deducted - exact : exact - deducted;
        expect(2n * error <= BigInt(amountCents)).toBe(true);
      }),
    );
  });

  it('depends on the total refunded, not on how it was split', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 3, max: 1_000_000 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.integer({ min: 1, max: 1_000_000 }),
        (amountCents, commissionCents, one, two) => {
          fc.pre(one + two < amountCents);
          const owed = { id: 4, cents: commissionCents, deductedCents: 0, stage: 'pending' };
          const whole = judgeRefund(refund(one + two), sale({ amountCents, commission: owed }), null);
          const first = judgeRefund(refund(one), sale({ amountCents, commission: owed }), null);
          if (whole.is !== 'recorded' || first.is !== 'recorded') throw new Error('Both are within the sale');
          const second = judgeRefund(
            refund(two),
            sale({
              amountCents,
              refundedCents: one,
              commission: { ...owed, deductedCents: first.deductionCents },
            }),
            null,
          );
          if (second.is !== 'recorded') throw new Error('The second is within the sale');
          expect(first.deductionCents + second.deductionCents).toBe(whole.deductionCents);
        },
      ),
    );
  });
});
