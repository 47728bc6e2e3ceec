const DAY_MS = 86_400_000;

/** A part of what happened under one value of the grouping; money by currency. Clicks have a row of their own. */
export type PerformanceRow = {
  key: string;
  clicks: number;
  leads: number;
  /** Customers who bought for the first time. */
  firstSales: number;
  sales: number;
  currency: string | null;
  revenueCents: number;
  refundedCents: number;
  commissionCents: number;
};

export type Money = { currency: string; revenueCents: number; refundedCents: number; commissionCents: number };
export type Numbers = { clicks: number; leads: number; sales: number; money: Money[] };

/** Adds rows up; amounts of different currencies are never added to each other. */
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
    money.revenueCents += row.revenueCents;
    money.refundedCents += row.refundedCents;
    money.commissionCents += row.commissionCents;
  }
  sum.money.sort((a, b) => a.currency.localeCompare(b.currency));
  return sum;
}

/** The rows of each key; a key has one for each currency. */
export function rowsByKey(rows: PerformanceRow[]): Map<string, PerformanceRow[]> {
  const rowsOf = new Map<string, PerformanceRow[]>();
  for (const row of rows) {
    const ofKey = rowsOf.get(row.key);
    if (ofKey) ofKey.push(row);
    else rowsOf.set(row.key, [row]);
  }
  return rowsOf;
}

/** The change as a share of what was before; null where there was nothing to compare with. */
export function changeOf(now: number, before: number): number | null {
  return before === 0 ? null : Math.round(((now - before) / before) * 1000) / 1000;
}

export type MoneyChange = {
  currency: string;
  revenueCents: number | null;
  refundedCents: number | null;
  commissionCents: number | null;
};

/** The change of every amount, in each currency of either period. */
export function changeOfMoney(now: Money[], before: Money[]): MoneyChange[] {
  const currencies = [...new Set([...now, ...before].map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const [a, b] = [now, before].map((money) => money.find((part) => part.currency === currency));
    const change = (amount: 'revenueCents' | 'refundedCents' | 'commissionCents') =>
      changeOf(a?.[amount] ?? 0, b?.[amount] ?? 0);
    return {
      currency,
      revenueCents: change('revenueCents'),
      refundedCents: change('refundedCents'),
      commissionCents: change('commissionCents'),
    };
  });
}

/** The days of a period in UTC, first to last. */
export function daysOf(from: Date, to: Date): string[] {
  const days: string[] = [];
  for (let day = Date.parse(from.toISOString().slice(0, 10)); day < to.getTime(); day += DAY_MS) {
    days.push(new Date(day).toISOString().slice(0, 10));
  }
  return days;
}

/** The days in UTC that lie wholly within a period; an empty period at its end when there is none. */
export function wholeDays(from: Date, to: Date): { from: Date; to: Date } {
  const [first, last] = [Math.ceil(from.getTime() / DAY_MS) * DAY_MS, Math.floor(to.getTime() / DAY_MS) * DAY_MS];
  return first < last ? { from: new Date(first), to: new Date(last) } : { from: to, to };
}
