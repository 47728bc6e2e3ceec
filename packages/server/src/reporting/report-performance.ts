import { errors } from '@svc/contract';
import type { Context } from '../context.ts';
import {
  changeOf,
  changeOfMoney,
  daysOf,
  type Numbers,
  type PerformanceRow,
  rowsByKey,
  sumRows,
} from './performance.ts';
import { findGroupNames, findPerformance, type Part } from './performance-store.ts';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 731;
const DAY_MS = 86_400_000;

export type PerformanceQuestion = Part & {
  from?: Date;
  to?: Date;
  groupBy?: 'day' | 'partner' | 'link';
  maxGroups: number;
};

/** What a program, or a part of it, brought in over a period, and how that compares with the period before. */
export async function reportPerformance(
  ctx: Context,
  programId: number,
  { groupBy, maxGroups, partnerId, linkId, ...asked }: PerformanceQuestion,
) {
  const to = asked.to ?? ctx.now();
  const from = asked.from ?? new Date(to.getTime() - DEFAULT_DAYS * DAY_MS);
  const length = to.getTime() - from.getTime();
  if (length <= 0) throw errors.invalidField('from must be before to');
  if (length > MAX_DAYS * DAY_MS) throw errors.invalidField(`The period must be at most ${MAX_DAYS} days long`);

  const [now, before] = [
    { from, to },
    { from: new Date(from.getTime() - length), to: from },
  ];
  const part = { partnerId, linkId };
  const isGrouped = groupBy === 'partner' || groupBy === 'link';
  const [byDay, total, grouped] = await Promise.all([
    findPerformance(ctx.db, programId, now, part, 'day'),
    findPerformance(ctx.db, programId, before, part, 'total'),
    isGrouped ? findPerformance(ctx.db, programId, now, part, groupBy, maxGroups) : [],
  ]);
  const [totals, previous] = [sumRows(byDay), sumRows(total)];
  const rowsOf = rowsByKey(byDay);
  return {
    from,
    to,
    totals,
    previous,
    change: {
      clicks: changeOf(totals.clicks, previous.clicks),
      leads: changeOf(totals.leads, previous.leads),
      sales: changeOf(totals.sales, previous.sales),
      money: changeOfMoney(totals.money, previous.money),
    },
    firstSales: byDay.reduce((sum, { firstSales }) => sum + firstSales, 0),
    series: daysOf(from, to).map((date) => ({ date, ...sumRows(rowsOf.get(date) ?? []) })),
    groups: isGrouped ? await groupedBy(ctx, programId, groupBy, grouped) : [],
  };
}

async function groupedBy(ctx: Context, programId: number, grouping: 'partner' | 'link', rows: PerformanceRow[]) {
  const rowsOf = rowsByKey(rows);
  const names = await findGroupNames(ctx.db, programId, grouping, [...rowsOf.keys()].map(Number));
  const groups: (Numbers & { id: number; name: string })[] = [...rowsOf].map(([id, ofGroup]) => ({
    id: Number(id),
    name: names.get(Number(id)) ?? id,
    ...sumRows(ofGroup),
  }));
  return groups.sort((a, b) => b.sales - a.sales || b.clicks - a.clicks);
}
