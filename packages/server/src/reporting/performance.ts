import { add, type Sum } from '../db/lists/sum.ts';
import { DAY_MS } from '../time.ts';

/** Sums of one group in one currency. Clicks have a row of their own, without a currency. */
export type PerformanceRow = MoneySums & {
  key: string;
  clicks: number;
  leads: number;
  /** Customers who bought for the first time. */
  firstSales: number;
  sales: number;
  currency: string | null;
};

export type MoneySums = { revenueCents: Sum; refundedCents: Sum; commissionCents: Sum };
export type Money = MoneySums & { currency: string };
export type Numbers = { clicks: number; leads: number; sales: number; money: Money[] };

/** Adds up rows. Amounts in different currencies are kept apart. */
export function sumRows(rows: PerformanceRow[]): Numbers {
  const sum: Numbers = { clicks: 0, leads: 0, sales: 0, money: [] };
  for (const row of rows) {
    sum.clicks += row.clicks;
    sum.leads += row.leads;
    sum.sales += row.sales;
    if (row.currency === null) continue;
    let money = sum.money.find(({ currency }) => currency === row.currency);
    if (!money) {
      money = { currency: row.currency, revenueCents: 0, refundedCents: 0, commissionCents: 0 };
      sum.money.push(money);
    }
    money.revenueCents = add(money.revenueCents, row.revenueCents);
    money.refundedCents = add(money.refundedCents, row.refundedCents);
    money.commissionCents = add(money.commissionCents, row.commissionCents);
  }
  sum.money.sort((a, b) => a.currency.localeCompare(b.currency));
  return sum;
}

/** Groups rows by key. */
export function rowsByKey(rows: PerformanceRow[]): Map<string, PerformanceRow[]> {
  const byKey = new Map<string, PerformanceRow[]>();
  for (const row of rows) {
    const sameKey = byKey.get(row.key);
    if (sameKey) sameKey.push(row);
    else byKey.set(row.key, [row]);
  }
  return byKey;
}

/** The change relative to the previous value; null when the previous value is 0. */
export function changeOf(current: Sum, previous: Sum): number | null {
  const before = Number(previous);
  return before === 0 ? null : Math.round(((Number(current) - before) / before) * 1000) / 1000;
}

export type MoneyChange = {
  currency: string;
  revenueCents: number | null;
  refundedCents: number | null;
  commissionCents: number | null;
};

/** The change of every amount, for each currency that occurs in either period. */
export function changeOfMoney(current: Money[], previous: Money[]): MoneyChange[] {
  const currencies = [...new Set([...current, ...previous].map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const [now, before] = [current, previous].map((money) => money.find((sums) => sums.currency === currency));
    const change = (amount: keyof MoneySums) => changeOf(now?.[amount] ?? 0, before?.[amount] ?? 0);
    return {
      currency,
      revenueCents: change('revenueCents'),
      refundedCents: change('refundedCents'),
      commissionCents: change('commissionCents'),
    };
  });
}

/** The part of a period that consists of whole UTC days; an empty period at its end when there are none. */
export function wholeDays(from: Date, to: Date): { from: Date; to: Date } {
  const [first, last] = [Math.ceil(from.getTime() / DAY_MS) * DAY_MS, Math.floor(to.getTime() / DAY_MS) * DAY_MS];
  return first < last ? { from: new Date(first), to: new Date(last) } : { from: to, to };
}
