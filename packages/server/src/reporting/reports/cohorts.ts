import { add, type Sum, toSum } from '../../db/lists/sum.ts';
import type { ResultCounts } from '../../rollups/facet-counts.ts';

/** Amounts in one currency. */
export type PaidMoney = { currency: string; revenueCents: Sum; refundedCents: Sum };
/** What customers have paid. */
export type Paid = { sales: number; money: PaidMoney[] };
/** The customers of a month, and what they have paid in each month from then on. */
export type Cohort = { month: string; customers: number; months: (Paid & { month: string })[] };

/** The results of a day by the month in which their customer first bought. */
export type CohortDay = { day: string; counts: ResultCounts[] };

/**
 * Adds up days by the month of their customers. What customers from before the first month have paid is kept apart, and so is what
 * the counts do not include yet. Together they are the totals.
 */
export function sumCohorts(
  days: CohortDay[],
  months: string[],
  totals: Paid,
): { cohorts: Cohort[]; earlier: Paid; pending: Paid } {
  const customers = new Map<string, number>();
  const sums = new Map<string, Paid>();
  const place = (key: string): Paid => {
    const known = sums.get(key) ?? { sales: 0, money: [] };
    sums.set(key, known);
    return known;
  };
  const [counted, earlier] = [place('counted'), place('earlier')];
  for (const { day, counts } of days) {
    for (const result of counts) {
      const cohort = months.find((month) => month === result.value);
      if (cohort) customers.set(cohort, (customers.get(cohort) ?? 0) + result.firstSales);
      addPaid(counted, result);
      addPaid(cohort ? place(keyOf(cohort, day.slice(0, 7))) : earlier, result);
    }
  }
  const cohorts = months.map((month, index) => ({
    month,
    customers: customers.get(month) ?? 0,
    months: months.slice(index).map((since) => ({ month: since, ...place(keyOf(month, since)) })),
  }));
  return { cohorts, earlier, pending: subtract(totals, counted) };
}

const keyOf = (cohort: string, month: string) => `${cohort} ${month}`;

function addPaid(paid: Paid, { currency, sales, revenueCents, refundedCents }: ResultCounts): void {
  paid.sales += sales;
  if (currency === null || (revenueCents === 0 && refundedCents === 0)) return;
  const known = paid.money.find((sum) => sum.currency === currency);
  if (known) {
    known.revenueCents = add(known.revenueCents, revenueCents);
    known.refundedCents = add(known.refundedCents, refundedCents);
  } else {
    paid.money.push({ currency, revenueCents, refundedCents });
    paid.money.sort((a, b) => a.currency.localeCompare(b.currency));
  }
}

function subtract(all: Paid, part: Paid): Paid {
  const currencies = [...new Set([...all.money, ...part.money].map(({ currency }) => currency))].sort();
  const difference = (currency: string, of: 'revenueCents' | 'refundedCents') => {
    const [whole, counted] = [all, part].map(({ money }) => money.find((sum) => sum.currency === currency)?.[of] ?? 0);
    return toSum(BigInt(whole ?? 0) - BigInt(counted ?? 0));
  };
  const money = currencies.map((currency) => ({
    currency,
    revenueCents: difference(currency, 'revenueCents'),
    refundedCents: difference(currency, 'refundedCents'),
  }));
  return {
    sales: all.sales - part.sales,
    money: money.filter(({ revenueCents, refundedCents }) => Number(revenueCents) !== 0 || Number(refundedCents) !== 0),
  };
}
