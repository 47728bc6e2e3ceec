import { errors, type Interval } from '@svc/contract';
import type { Context } from '../context.ts';
import { addDays, DAY_MS, HOUR_MS } from '../time.ts';
import { changeOf, changeOfMoney, type Numbers, type PerformanceRow, rowsByKey, sumRows } from './performance.ts';
import { findGroupNames, findPerformance, type Period, type Scope } from './performance-store.ts';
import { type Bucket, bucketOfDay, chooseInterval, datesOf, divide, isFinished, shiftBack } from './reports/buckets.ts';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 731;

export type PerformanceQuery = Scope & {
  from?: Date | undefined;
  to?: Date | undefined;
  /** What each entry of the series covers; chosen by the length of the period if it is `auto`. */
  interval: Interval | 'auto';
  groupBy?: 'day' | 'partner' | 'link' | undefined;
  maxGroups: number;
};

/** What a program, a partner or a link brought in over a period, compared with the period before. */
export async function reportPerformance(
  ctx: Context,
  programId: number,
  { groupBy, maxGroups, partnerId, linkId, interval, ...period }: PerformanceQuery,
) {
  const asked = { to: period.to ?? ctx.now(), from: period.from ?? addDays(period.to ?? ctx.now(), -DEFAULT_DAYS) };
  const askedMs = asked.to.getTime() - asked.from.getTime();
  if (askedMs <= 0) throw errors.periodReversed();
  if (askedMs > MAX_DAYS * DAY_MS) throw errors.periodTooLong(MAX_DAYS);

  const current = wholeHours(asked);
  const { from, to } = current;
  const length = to.getTime() - from.getTime();
  const before = { from: new Date(from.getTime() - length), to: from };
  const scope = { partnerId, linkId };
  const isGrouped = groupBy === 'partner' || groupBy === 'link';
  const [rowsByDay, rowsBefore, rowsByGroup] = await Promise.all([
    findPerformance(ctx.db, programId, current, scope, 'day'),
    findPerformance(ctx.db, programId, before, scope, 'day'),
    isGrouped ? findPerformance(ctx.db, programId, current, scope, groupBy, maxGroups) : [],
  ]);
  const totals = sumRows(rowsByDay);
  const previous = sumRows(rowsBefore);
  const chosen = interval === 'auto' ? chooseInterval(current) : interval;
  const buckets = divide(current, chosen);
  const now = ctx.now();
  return {
    from,
    to,
    interval: chosen,
    totals,
    previous,
    change: {
      clicks: changeOf(totals.clicks, previous.clicks),
      leads: changeOf(totals.leads, previous.leads),
      sales: changeOf(totals.sales, previous.sales),
      money: changeOfMoney(totals.money, previous.money),
    },
    firstSales: rowsByDay.reduce((sum, { firstSales }) => sum + firstSales, 0),
    series: sumBuckets(buckets, rowsByDay).map((sums) => ({ ...sums, isFinished: isFinished(sums.bucket, now) })),
    previousSeries: sumBuckets(shiftBack(buckets, length), rowsBefore),
    groups: isGrouped ? await sumGroups(ctx, programId, groupBy, rowsByGroup) : [],
  };
}

/** The hours that the period touches: clicks are counted by the hour, and everything else has to cover the same time. */
export function wholeHours({ from, to }: Period): Period {
  return {
    from: new Date(Math.floor(from.getTime() / HOUR_MS) * HOUR_MS),
    to: new Date(Math.ceil(to.getTime() / HOUR_MS) * HOUR_MS),
  };
}

/** The sums of each bucket; every row belongs to exactly one. */
function sumBuckets(buckets: Bucket[], rows: PerformanceRow[]) {
  const byBucket = new Map<Bucket | undefined, PerformanceRow[]>();
  for (const [day, ofDay] of rowsByKey(rows)) {
    const bucket = bucketOfDay(buckets, day);
    byBucket.set(bucket, [...(byBucket.get(bucket) ?? []), ...ofDay]);
  }
  return buckets.map((bucket) => ({ bucket, ...datesOf(bucket), ...sumRows(byBucket.get(bucket) ?? []) }));
}

async function sumGroups(ctx: Context, programId: number, grouping: 'partner' | 'link', rows: PerformanceRow[]) {
  const byGroup = rowsByKey(rows);
  const names = await findGroupNames(ctx.db, programId, grouping, [...byGroup.keys()].map(Number));
  const groups: (Numbers & { id: number; name: string })[] = [...byGroup].map(([id, groupRows]) => ({
    id: Number(id),
    name: names.get(Number(id)) ?? id,
    ...sumRows(groupRows),
  }));
  return groups.sort((a, b) => b.sales - a.sales || b.clicks - a.clicks);
}
