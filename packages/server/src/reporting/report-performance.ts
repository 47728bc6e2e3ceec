import { errors } from '@svc/contract';
import type { Context } from '../context.ts';
import { addDays, DAY_MS } from '../time.ts';
import {
  changeOf,
  changeOfMoney,
  daysBetween,
  type Numbers,
  type PerformanceRow,
  rowsByKey,
  sumRows,
} from './performance.ts';
import { findGroupNames, findPerformance, type Scope } from './performance-store.ts';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 731;

export type PerformanceQuery = Scope & {
  from?: Date;
  to?: Date;
  groupBy?: 'day' | 'partner' | 'link';
  maxGroups: number;
};

/** What a program, a partner or a link brought in over a period, compared with the period before. */
export async function reportPerformance(
  ctx: Context,
  programId: number,
  { groupBy, maxGroups, partnerId, linkId, ...period }: PerformanceQuery,
) {
  const to = period.to ?? ctx.now();
  const from = period.from ?? addDays(to, -DEFAULT_DAYS);
  const length = to.getTime() - from.getTime();
  if (length <= 0) throw errors.periodReversed();
  if (length > MAX_DAYS * DAY_MS) throw errors.periodTooLong(MAX_DAYS);

  const current = { from, to };
  const before = { from: new Date(from.getTime() - length), to: from };
  const scope = { partnerId, linkId };
  const isGrouped = groupBy === 'partner' || groupBy === 'link';
  const [rowsByDay, rowsBefore, rowsByGroup] = await Promise.all([
    findPerformance(ctx.db, programId, current, scope, 'day'),
    findPerformance(ctx.db, programId, before, scope, 'total'),
    isGrouped ? findPerformance(ctx.db, programId, current, scope, groupBy, maxGroups) : [],
  ]);
  const totals = sumRows(rowsByDay);
  const previous = sumRows(rowsBefore);
  const byDay = rowsByKey(rowsByDay);
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
    firstSales: rowsByDay.reduce((sum, { firstSales }) => sum + firstSales, 0),
    series: daysBetween(from, to).map((date) => ({ date, ...sumRows(byDay.get(date) ?? []) })),
    groups: isGrouped ? await sumGroups(ctx, programId, groupBy, rowsByGroup) : [],
  };
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
