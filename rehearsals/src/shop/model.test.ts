import { describe, expect, it } from 'vitest';
import { expectedAmounts, type Sale, type Terms } from './model.ts';

const percent = (tenThousandths: bigint): Terms => ({ type: 'percent', tenThousandths });

function sale(terms: Terms, cents: number, refunds: number[] = [], processorRefunded: number | null = null): Sale {
  const list = refunds.map((refund, index) => ({ id: `refund_${index}`, cents: refund }));
  return { id: 'order', programId: 1, terms, cents, refunds: list, processorRefunded };
}

// Computed by hand, so that the model is not judged by itself.
describe('the model of a sale', () => {
  it.each([
    { terms: percent(200_000n), cents: 4_900, commission: 980 },
    { terms: percent(73_333n), cents: 1_000, commission: 73 },
    { terms: percent(73_333n), cents: 7, commission: 1 },
    { terms: percent(73_333n), cents: 6, commission: 0 },
    { terms: percent(25_000n), cents: 20, commission: 1 },
    { terms: { type: 'fixed', cents: 500n } as const, cents: 3, commission: 500 },
  ])('earns $commission of $cents, rounded half up', ({ terms, cents, commission }) => {
    expect(expectedAmounts(sale(terms, cents))).toEqual({ refunded: 0, reported: 0, commission, deducted: 0 });
  });

  it('loses its commission in proportion to the sum of its refunds, and all of it with the last cent', () => {
    const of = (refunds: number[]) => expectedAmounts(sale(percent(200_000n), 999, refunds)).deducted;
    expect([of([333]), of([333, 333]), of([333, 333, 333])]).toEqual([67, 133, 200]);
  });

  it('counts money once that both the shop and the payment processor refunded', () => {
    const of = (refunds: number[], processor: number) =>
      expectedAmounts(sale(percent(200_000n), 1_000, refunds, processor));
    expect(of([300], 300)).toEqual({ refunded: 300, reported: 300, commission: 200, deducted: 60 });
    expect(of([300], 500)).toEqual({ refunded: 500, reported: 300, commission: 200, deducted: 100 });
    expect(of([300, 400], 500)).toEqual({ refunded: 700, reported: 700, commission: 200, deducted: 140 });
  });
});
