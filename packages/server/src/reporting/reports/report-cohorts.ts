import { COHORT_MONTHS } from '@svc/contract';
import type { Context } from '../../context.ts';
import { addDays } from '../../time.ts';
import { sumRows } from '../performance.ts';
import { findPerformance } from '../performance-store.ts';
import { listCohortDays, readSnapshot } from './breakdown-store.ts';
import { dayOf } from './buckets.ts';
import { type Cohort, type Paid, sumCohorts } from './cohorts.ts';

export type CohortReport = { from: Date; to: Date; totals: Paid; earlier: Paid; pending: Paid; cohorts: Cohort[] };

/** What the customers of each of the last months have paid since, of a program or of one of its partners. */
export function reportCohorts(ctx: Context, programId: number, partnerId: number | null): Promise<CohortReport> {
  const now = ctx.now();
  const startOf = (back: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1));
  const months = Array.from({ length: COHORT_MONTHS }, (_, index) =>
    dayOf(startOf(COHORT_MONTHS - 1 - index)).slice(0, 7),
  );
  const from = startOf(COHORT_MONTHS - 1);
  const to = addDays(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())), 1);
  return readSnapshot(ctx.db, async (tx) => {
    const [total, days] = await Promise.all([
      findPerformance(tx, programId, { from, to }, { partnerId, linkId: null }, 'total'),
      listCohortDays(tx, programId, { fromDay: dayOf(from), toDay: dayOf(to), partnerId }),
    ]);
    const { sales, money } = sumRows(total);
    const paid = money.map(({ currency, revenueCents, refundedCents }) => ({ currency, revenueCents, refundedCents }));
    // Bonuses and commissions of other currencies have a row without a payment.
    const totals = { sales, money: paid.filter(({ revenueCents }) => Number(revenueCents) !== 0) };
    return { from, to, totals, ...sumCohorts(days, months, totals) };
  });
}
