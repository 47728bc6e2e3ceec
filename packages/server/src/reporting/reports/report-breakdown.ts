import { type Breakdown, errors } from '@svc/contract';
import type { Context } from '../../context.ts';
import { addDays, DAY_MS } from '../../time.ts';
import { findGroupNames, findPerformance } from '../performance-store.ts';
import {
  type BreakdownSort,
  type Counts,
  countRows,
  isCountedRecord,
  isOfSales,
  isRecord,
  type NamedCounts,
  nameGroups,
  rankValues,
} from './breakdown.ts';
import { findRecordBreakdown, listFacetCounts, readSnapshot } from './breakdown-store.ts';
import { dayOf } from './buckets.ts';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 731;
/** Later days cannot be written. */
const LAST_DAY = Date.UTC(9999, 11, 31);

export type BreakdownRequest = {
  by: Breakdown;
  from?: Date | undefined;
  to?: Date | undefined;
  partnerId: number | null;
  sort: BreakdownSort;
  currency: string;
  limit: number;
};

export type BreakdownReport = { from: Date; to: Date; totals: Counts; rows: NamedCounts[] };

/** What a program or a partner brought in over whole UTC days, by group. The rows add up to the totals. */
export async function reportBreakdown(
  ctx: Context,
  programId: number,
  { by, partnerId, sort, currency, limit, ...period }: BreakdownRequest,
): Promise<BreakdownReport> {
  const lastMoment = period.to ?? ctx.now();
  const to = new Date(Math.min(Math.ceil(lastMoment.getTime() / DAY_MS) * DAY_MS, LAST_DAY));
  const from = new Date(Math.floor((period.from ?? addDays(to, -DEFAULT_DAYS)).getTime() / DAY_MS) * DAY_MS);
  if (from >= to) throw errors.periodReversed();
  if (to.getTime() - from.getTime() > MAX_DAYS * DAY_MS) throw errors.periodTooLong(MAX_DAYS);

  return readSnapshot(ctx.db, async (tx) => {
    const scope = { partnerId, linkId: null };
    const query = { fromDay: dayOf(from), toDay: dayOf(to), partnerId, sort, currency, limit };
    const [total, counted] = await Promise.all([
      findPerformance(tx, programId, { from, to }, scope, 'total'),
      isCountedRecord(by) ? findRecordBreakdown(tx, programId, by, query) : listFacetCounts(tx, programId, by, query),
    ]);
    const totals = countRows(total);
    const groups = Array.isArray(counted) ? counted : rankValues(withClicks(by, counted, totals.clicks), query);
    const ids = isRecord(by) ? groups.flatMap(({ key }) => (Number(key) > 0 ? [Number(key)] : [])) : [];
    const names = isRecord(by) ? await findGroupNames(tx, programId, by, ids) : new Map<number, string>();
    return { from, to, totals, rows: nameGroups(by, groups, totals, names) };
  });
}

type FacetCounts = Awaited<ReturnType<typeof listFacetCounts>>;

/** Every click is without a coupon and without a payment. */
function withClicks(by: Breakdown, counts: FacetCounts, clicks: number): FacetCounts {
  return isOfSales(by) && clicks > 0 ? { ...counts, clicks: [[['', clicks]]] } : counts;
}
