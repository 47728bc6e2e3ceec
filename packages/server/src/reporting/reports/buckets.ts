import type { Interval } from '@svc/contract';
import { DAY_MS } from '../../time.ts';

/** A part of a period: from `from`, inclusive, to `to`, exclusive. */
export type Bucket = { from: Date; to: Date };

/** As many days as a chart can show side by side, and as many weeks. */
const MAX_DAYS = 45;
const MAX_WEEKS = 27;

/** Days for short periods, weeks for months, and months for years. */
export function chooseInterval({ from, to }: Bucket): Interval {
  const days = Math.ceil((to.getTime() - from.getTime()) / DAY_MS);
  if (days <= MAX_DAYS) return 'day';
  return days <= MAX_WEEKS * 7 ? 'week' : 'month';
}

/** When the next UTC day, ISO week or month begins. */
const NEXT: Record<Interval, (time: Date) => number> = {
  day: (time) => (Math.floor(time.getTime() / DAY_MS) + 1) * DAY_MS,
  week: (time) => (Math.floor(time.getTime() / DAY_MS) + 7 - ((time.getUTCDay() + 6) % 7)) * DAY_MS,
  month: (time) => {
    const next = new Date(time);
    next.setUTCHours(0, 0, 0, 0);
    return next.setUTCMonth(next.getUTCMonth() + 1, 1);
  },
};

/** Divides a period into days, weeks or months in UTC. The first and the last one are cut to the period. */
export function divide({ from, to }: Bucket, interval: Interval): Bucket[] {
  const buckets: Bucket[] = [];
  for (let at = from; at < to; ) {
    const end = new Date(Math.min(NEXT[interval](at), to.getTime()));
    buckets.push({ from: at, to: end });
    at = end;
  }
  return buckets;
}

/** The same parts of an earlier period. */
export function shiftBack(buckets: Bucket[], byMs: number): Bucket[] {
  const shifted = (time: Date) => new Date(time.getTime() - byMs);
  return buckets.map(({ from, to }) => ({ from: shifted(from), to: shifted(to) }));
}

/** The bucket that a UTC day, such as `2026-03-01`, is counted in: the one that its start is in, or the first. */
export function bucketOfDay(buckets: Bucket[], day: string): Bucket | undefined {
  const start = Date.parse(day);
  return buckets.findLast(({ from }) => from.getTime() <= start) ?? buckets[0];
}

/** Whether nothing more can be added: the last day of the bucket is over. */
export function isFinished({ to }: Bucket, now: Date): boolean {
  return Math.ceil(to.getTime() / DAY_MS) * DAY_MS <= now.getTime();
}

export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** The first and the last UTC day of a bucket. */
export function datesOf({ from, to }: Bucket): { date: string; lastDate: string } {
  return { date: dayOf(from), lastDate: dayOf(new Date(to.getTime() - 1)) };
}
