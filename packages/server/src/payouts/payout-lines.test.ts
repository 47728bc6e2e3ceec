import { describe, expect, it } from 'vitest';
import { choosePayoutLines, splitLine } from './payout-lines.ts';

const LARGEST = Number.MAX_SAFE_INTEGER;
const due = (...amounts: number[]) => amounts.map((dueCents, index) => ({ id: index + 1, dueCents }));
const chosen = (...amounts: number[]) => {
  const { covered, amountCents } = choosePayoutLines(due(...amounts));
  return { ids: covered.map(({ id }) => id).sort((a, b) => a - b), amountCents };
};

describe('the lines of the next payout', () => {
  it('are all that is due', () => {
    expect(chosen(500, -200, 300)).toEqual({ ids: [1, 2, 3], amountCents: 600 });
    expect(chosen(LARGEST)).toEqual({ ids: [1], amountCents: LARGEST });
  });

  it('are as many as fit when the sum is too large for one payout', () => {
    expect(chosen(LARGEST, LARGEST, 5)).toEqual({ ids: [1], amountCents: LARGEST });
    expect(chosen(LARGEST - 5, LARGEST, 5)).toEqual({ ids: [1, 3], amountCents: LARGEST });
  });

  it('begin with what was taken back', () => {
    expect(chosen(LARGEST, 10, -10)).toEqual({ ids: [1, 2, 3], amountCents: LARGEST });
    expect(chosen(LARGEST, -LARGEST, -LARGEST)).toMatchObject({ amountCents: 0 });
    expect(chosen(LARGEST, LARGEST, -LARGEST)).toEqual({ ids: [1, 2, 3], amountCents: LARGEST });
  });

  it('are none when nothing is owed', () => {
    expect(chosen()).toEqual({ ids: [], amountCents: 0 });
    expect(chosen(100, -100)).toMatchObject({ amountCents: 0 });
    expect(chosen(100, -300)).toMatchObject({ amountCents: 0 });
  });
});

describe('how a line comes about', () => {
  const split = (commissionCents: number, amountCents: number, earlierCents: number) =>
    splitLine({ commissionCents, amountCents, earlierCents });

  it('is the commission less refunds and earlier payouts', () => {
    expect(split(2_000, 2_000, 0)).toEqual({ deductedCents: 0, earlierCents: 0 });
    expect(split(2_000, 1_500, 0)).toEqual({ deductedCents: 500, earlierCents: 0 });
    expect(split(2_000, -2_000, 2_000)).toEqual({ deductedCents: 2_000, earlierCents: 2_000 });
    expect(split(2_000, 500, 1_500)).toEqual({ deductedCents: 0, earlierCents: 1_500 });
    expect(split(-300, -300, 0)).toEqual({ deductedCents: 0, earlierCents: 0 });
  });

  it('adds up even if clocks disagree about which earlier payouts still counted', () => {
    expect(split(2_000, 2_000, 2_000)).toEqual({ deductedCents: 0, earlierCents: 0 });
    expect(split(2_000, -2_000, 0)).toEqual({ deductedCents: 2_000, earlierCents: 2_000 });
  });
});
