import { INTERVALS } from '@svc/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../time.ts';
import { bucketOfDay, chooseInterval, datesOf, dayOf, divide, isFinished, shiftBack } from './buckets.ts';

const period = (from: string, to: string) => ({ from: new Date(from), to: new Date(to) });
const datesIn = (from: string, to: string, interval: 'day' | 'week' | 'month') =>
  divide(period(from, to), interval).map((bucket) => Object.values(datesOf(bucket)).join(' '));

/** Periods of up to 250 days, at any millisecond; most of them contain a change of the clocks somewhere. */
const periods = fc
  .tuple(
    fc.date({ min: new Date('1990-01-01'), max: new Date('2050-01-01'), noInvalidDate: true }),
    fc.integer({ min: 1, max: 250 * DAY_MS }),
  )
  .map(([from, length]) => ({ from, to: new Date(from.getTime() + length) }));
const intervals = fc.constantFrom(...INTERVALS);

function daysIn({ from, to }: { from: Date; to: Date }): string[] {
  const days: string[] = [];
  for (let at = Math.floor(from.getTime() / DAY_MS) * DAY_MS; at < to.getTime(); at += DAY_MS)
    days.push(dayOf(new Date(at)));
  return days;
}

describe('divide', () => {
  it.each([
    ['day', '2026-02-27', '2026-03-02', ['2026-02-27 2026-02-27', '2026-02-28 2026-02-28', '2026-03-01 2026-03-01']],
    ['week', '2026-03-04', '2026-03-17', ['2026-03-04 2026-03-08', '2026-03-09 2026-03-15', '2026-03-16 2026-03-16']],
    ['week', '2026-03-02', '2026-03-09', ['2026-03-02 2026-03-08']],
    ['month', '2025-12-15', '2026-02-01', ['2025-12-15 2025-12-31', '2026-01-01 2026-01-31']],
    [
      'month',
      '2026-01-31T12:00:00Z',
      '2026-03-01T06:00:00Z',
      ['2026-01-31 2026-01-31', '2026-02-01 2026-02-28', '2026-03-01 2026-03-01'],
    ],
  ] as const)('by %s from %s to %s', (interval, from, to, expected) => {
    expect(datesIn(from, to, interval)).toEqual(expected);
  });

  it('leaves no gap and no overlap, and cuts only the first and the last', () => {
    fc.assert(
      fc.property(periods, intervals, (whole, interval) => {
        const buckets = divide(whole, interval);
        expect([buckets[0]?.from, buckets.at(-1)?.to]).toEqual([whole.from, whole.to]);
        buckets.slice(1).forEach((bucket, index) => {
          expect(bucket.from).toEqual(buckets[index]?.to);
          expect(bucket.from.getTime() % DAY_MS).toBe(0);
          if (interval === 'week') expect(bucket.from.getUTCDay()).toBe(1);
          if (interval === 'month') expect(bucket.from.getUTCDate()).toBe(1);
        });
      }),
    );
  });

  it('puts every day into exactly one bucket, also in the period before, so that sums stay the same', () => {
    fc.assert(
      fc.property(periods, intervals, (whole, interval) => {
        const buckets = divide(whole, interval);
        const dates = new Map(buckets.map((bucket) => [bucket, datesOf(bucket)]));
        const covered = [...dates.values()].reduce(
          (sum, { date, lastDate }) => sum + (Date.parse(lastDate) - Date.parse(date)) / DAY_MS + 1,
          0,
        );
        const days = daysIn(whole);
        expect(covered).toBe(days.length);
        const misplaced = days.filter((day) => {
          const { date, lastDate } = dates.get(bucketOfDay(buckets, day) as (typeof buckets)[number]) ?? {
            date: '',
            lastDate: '',
          };
          return day < date || day > lastDate;
        });
        expect(misplaced).toEqual([]);
        const earlier = shiftBack(buckets, whole.to.getTime() - whole.from.getTime());
        expect(earlier).toHaveLength(buckets.length);
        expect(earlier.at(-1)?.to).toEqual(whole.from);
        const before = daysIn({ from: earlier[0]?.from as Date, to: whole.from });
        expect(before.every((day) => earlier.includes(bucketOfDay(earlier, day) as (typeof earlier)[number]))).toBe(
          true,
        );
      }),
      { numRuns: 20 },
    );
  });
});

it.each([
  [1, 'day'],
  [45, 'day'],
  [46, 'week'],
  [90, 'week'],
  [189, 'week'],
  [190, 'month'],
  [731, 'month'],
])('chooseInterval: a chart of %i days is divided by %s', (days, interval) => {
  const from = new Date('2026-01-01');
  expect(chooseInterval({ from, to: new Date(from.getTime() + days * DAY_MS) })).toBe(interval);
});

it.each([
  ['2026-03-11', '2026-03-10T23:59:59Z', false],
  ['2026-03-11', '2026-03-11T00:00:00Z', true],
  ['2026-03-10T12:00:00Z', '2026-03-10T12:00:00Z', false],
])('isFinished: a bucket that ends at %s is finished at %s: %s', (to, now, expected) => {
  expect(isFinished(period('2026-03-01', to), new Date(now))).toBe(expected);
});
