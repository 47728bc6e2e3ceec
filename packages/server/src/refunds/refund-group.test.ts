import { sampleProgram } from '@svc/testkit/service/routes/samples.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RefundableSale } from './refund.ts';
import { deductionsOf, judgeRefunds, type RefundAttempt, type SaleLedger } from './refund-group.ts';

const NOW = new Date('2026-03-10T12:00:00Z');
const program = sampleProgram();

const newLedger = (fields: Partial<RefundableSale> = {}): SaleLedger => ({
  sale: {
    id: 1,
    customerId: 2,
    partnerId: 3,
    amountCents: 1_000,
    refundedCents: 0,
    reportedCents: 0,
    disputedCents: 0,
    taxCents: null,
    base: 'net',
    taxOnlyCents: 0,
    currency: 'USD',
    isTest: false,
    commission: { id: 4, cents: 333, deductedCents: 0, stage: 'pending' },
    overrides: [],
    ...fields,
  },
  byKey: new Map(),
  last: null,
  was: { sale: {}, commissionStatus: new Map() },
});

const refundOf = (amountCents?: number, refundKey?: string): RefundAttempt => ({
  program,
  refund: { transactionId: 'order_1', amountCents, reason: undefined, refundKey, requestId: null },
});

const judge = (attempts: RefundAttempt[], ledger: SaleLedger) =>
  judgeRefunds(
    attempts,
    () => ledger,
    attempts.map((_, index) => 100 + index),
    NOW,
  );

describe('judgeRefunds, in order', () => {
  it('treats a second full refund as a repetition that deducts nothing more', () => {
    const [first, second] = judge([refundOf(), refundOf()], newLedger());
    expect(first?.outcome).toMatchObject({ status: 'reversed', refundId: 'refund_100', refundedCents: 1_000 });
    expect(second?.outcome).toMatchObject({ status: 'already_refunded', refundId: 'refund_100', refundedCents: 0 });
    expect(second?.row).toBeNull();
  });

  it('returns the same outcome and one row for the same refund_id', () => {
    const judged = judge([refundOf(300, 'r1'), refundOf(300, 'r1')], newLedger());
    expect(judged[1]?.outcome).toEqual(judged[0]?.outcome);
    expect(judged.map(({ row }) => row?.refundKey)).toEqual(['r1', undefined]);
  });

  it('refuses a refund of more than the earlier ones leave', () => {
    const judged = judge([refundOf(700), refundOf(400)], newLedger());
    expect(judged[1]?.outcome).toEqual({ is: 'refused', reason: 'refund_too_large', leftCents: 300 });
  });

  it('refuses a refund of an unknown sale', () => {
    const [judged] = judgeRefunds([refundOf()], () => null, [1], NOW);
    expect(judged).toMatchObject({ outcome: { is: 'refused', reason: 'sale_not_found' }, row: null });
  });

  it('has the same outcomes for a group as one at a time, and a final full refund deducts everything', () => {
    const cents = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(cents, fc.integer({ min: 0, max: 1_000 }), (amounts, commissionCents) => {
        const commission = { id: 4, cents: commissionCents, deductedCents: 0, stage: 'pending' as const };
        const attempts = [...amounts.map((amount) => refundOf(amount)), refundOf()];
        const grouped = newLedger({ commission });
        const single = newLedger({ commission });
        const inGroup = judge(attempts, grouped).map(({ outcome }) => outcome);
        const oneByOne = attempts.flatMap((attempt, index) =>
          judgeRefunds([attempt], () => single, [100 + index], NOW).map(({ outcome }) => outcome),
        );
        expect(inGroup).toEqual(oneByOne);
        expect(grouped.sale).toMatchObject({ refundedCents: 1_000, commission: { deductedCents: commissionCents } });
        expect(deductionsOf(grouped.sale)).toMatchObject([{ reversal: 'full' }]);
      }),
    );
  });

  it('deducts nothing from a rejected commission', () => {
    const ledger = newLedger({ commission: { id: 4, cents: 333, deductedCents: 0, stage: 'rejected' } });
    expect(judge([refundOf(500)], ledger)[0]?.outcome).toMatchObject({ status: 'no_commission', deductionCents: 0 });
    expect(deductionsOf(ledger.sale)).toEqual([]);
  });
});
