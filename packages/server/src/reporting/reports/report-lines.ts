import { type Cell, currencyExponent } from '@svc/contract';
import type { Sum } from '../../db/lists/sum.ts';
import type { Money, Numbers } from '../performance.ts';
import { type Counts, conversionRate, earningsPerClick } from './breakdown.ts';
import type { Cohort, Paid } from './cohorts.ts';

/** The currencies of a report. Each has columns of its own, so that no column adds up different ones. */
export function currenciesOf(rows: { money: { currency: string }[] }[]): string[] {
  return [...new Set(rows.flatMap(({ money }) => money.map(({ currency }) => currency)))].sort();
}

export const SERIES_COLUMNS = ['date', 'last_date', 'clicks', 'signups', 'sales'];
export const BREAKDOWN_COLUMNS = ['clicks', 'signups', 'new_customers', 'sales', 'conversion_rate'];

export function moneyColumns(currency: string): string[] {
  return [`revenue_${currency}`, `refunded_${currency}`, `commission_${currency}`];
}

export function seriesCells(row: Numbers & { date: string; lastDate: string }, currencies: string[]): Cell[] {
  const { date, lastDate, clicks, leads, sales } = row;
  return [date, lastDate, clicks, leads, sales, ...currencies.flatMap((currency) => amountsIn(row.money, currency))];
}

export function breakdownCells(row: Counts, currencies: string[]): Cell[] {
  const { clicks, leads, firstSales, sales, money } = row;
  const amounts = currencies.flatMap((currency) => [
    ...amountsIn(money, currency),
    perClick(earningsPerClick(sumsIn(money, currency).commissionCents, clicks), currency),
  ]);
  return [clicks, leads, firstSales, sales, conversionRate(row), ...amounts];
}

/** The report of cohorts: its columns, then a line for each month of each, for customers from before, and for what is still being counted. */
export function cohortLines(report: { totals: Paid; earlier: Paid; pending: Paid; cohorts: Cohort[] }): Cell[][] {
  const currencies = currenciesOf([report.totals]);
  const paidCells = ({ sales, money }: Paid): Cell[] => [
    sales,
    ...currencies.flatMap((currency) => {
      const paid = money.find((sums) => sums.currency === currency);
      return [paid?.revenueCents ?? 0, paid?.refundedCents ?? 0].map((cents) => decimalOf(cents, currency));
    }),
  ];
  const amounts = currencies.flatMap((currency) => [`revenue_${currency}`, `refunded_${currency}`]);
  return [
    ['first_bought', 'customers', 'month', 'months_since', 'sales', ...amounts],
    ...report.cohorts.flatMap(({ month, customers, months }) =>
      months.map((paid, since): Cell[] => [month, customers, paid.month, since, ...paidCells(paid)]),
    ),
    ['earlier', null, null, null, ...paidCells(report.earlier)],
    ['pending', null, null, null, ...paidCells(report.pending)],
  ];
}

function amountsIn(money: Money[], currency: string): Cell[] {
  const { revenueCents, refundedCents, commissionCents } = sumsIn(money, currency);
  return [revenueCents, refundedCents, commissionCents].map((cents) => decimalOf(cents, currency));
}

function sumsIn(money: Money[], currency: string): Money {
  const none = { currency, revenueCents: 0, refundedCents: 0, commissionCents: 0 };
  return money.find((sums) => sums.currency === currency) ?? none;
}

/** An amount in the main unit of its currency, exact: 1234 cents are 12.34. */
export function decimalOf(cents: Sum, currency: string): Cell {
  const decimals = currencyExponent(currency);
  const sign = cents < 0 ? '-' : '';
  const digits = String(cents < 0 ? -BigInt(cents) : cents).padStart(decimals + 1, '0');
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  // A number, so that the cell is not taken for text; amounts too large for one stay text.
  return Number.isSafeInteger(Number(cents)) ? Number(`${sign}${text}`) : `${sign}${text}`;
}

function perClick(cents: number | null, currency: string): Cell {
  return cents === null
    ? null
    : Number((cents / 10 ** currencyExponent(currency)).toFixed(currencyExponent(currency) + 2));
}
