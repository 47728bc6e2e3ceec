import { BREAKDOWNS, type Breakdown, DEVICES, PAYMENTS } from '@svc/contract';
import { add, type Sum, toSum } from '../../db/lists/sum.ts';
import type { ResultCounts } from '../../rollups/facet-counts.ts';
import { type Money, type Numbers, type PerformanceRow, rowsByKey, sumRows } from '../performance.ts';

/** Sums of one group in one currency; the key is null for all groups that are not listed. */
export type BreakdownRow = Omit<PerformanceRow, 'key'> & { key: string | null };

export type BreakdownSort = 'clicks' | 'leads' | 'sales' | 'revenue' | 'commission';
export type RowKind = 'value' | 'none' | 'other' | 'pending';
export type Counts = Numbers & { firstSales: number };
export type NamedCounts = Counts & { kind: RowKind; id: number | null; value: string | null; name: string };

/** What has counts of its own, or is a group of partners, which have them. */
export type CountedRecord = 'partner' | 'group' | 'link';
const COUNTED_RECORDS: readonly Breakdown[] = ['partner', 'group', 'link'] satisfies CountedRecord[];
export const isCountedRecord = (by: Breakdown): by is CountedRecord => COUNTED_RECORDS.includes(by);

/** What rows have the id and the name of: all of them are found in a table. */
export type NamedRecord = CountedRecord | 'coupon';
export const isRecord = (by: Breakdown): by is NamedRecord => isCountedRecord(by) || by === 'coupon';

/** What no click has, so that all clicks are without it. */
export const isOfSales = (by: Breakdown): by is 'coupon' | 'payment' => by === 'coupon' || by === 'payment';

const OTHER_KEY = '\0other';
const countryNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' });

/** Adds up rows, with first purchases. */
export function countRows(rows: PerformanceRow[]): Counts {
  return { ...sumRows(rows), firstSales: rows.reduce((sum, row) => sum + row.firstSales, 0) };
}

/** Adds up the counts of days by value, and puts those with the most first; all past the limit have no key. */
export function rankValues(
  days: { clicks: [value: string | null, clicks: number][][]; results: ResultCounts[][] },
  { sort, currency, limit }: { sort: BreakdownSort; currency: string; limit: number },
): BreakdownRow[] {
  const byValue = sumDays(days);
  const rest = byValue.get(null) ?? [];
  byValue.delete(null);
  const weigh = WEIGHTS[sort];
  const ranked = [...byValue.values()]
    .map((rows) => ({
      rows,
      weight: rows.reduce((sum, row) => sum + weigh(row, currency), 0),
      clicks: rows.reduce((sum, row) => sum + row.clicks, 0),
    }))
    .sort((a, b) => b.weight - a.weight || b.clicks - a.clicks || compareKeys(a.rows, b.rows));
  const listed = ranked.slice(0, limit).flatMap(({ rows }) => rows);
  const others = ranked.slice(limit).flatMap(({ rows }) => rows.map((row) => ({ ...row, key: null })));
  return [...listed, ...others, ...rest];
}

/** The sums of each value, one row for each currency. A year has tens of thousands of counts, so nothing is copied. */
function sumDays(days: { clicks: [value: string | null, clicks: number][][]; results: ResultCounts[][] }) {
  const byValue = new Map<string | null, BreakdownRow[]>();
  const rowOf = (value: string | null, currency: string | null): BreakdownRow => {
    const rows = byValue.get(value) ?? [];
    const known = rows.find((row) => row.currency === currency);
    if (known) return known;
    const added = { key: value, currency, ...NOTHING };
    rows.push(added);
    byValue.set(value, rows);
    return added;
  };
  for (const day of days.clicks) for (const [value, clicks] of day) rowOf(value, null).clicks += clicks;
  for (const day of days.results) for (const result of day) addResult(rowOf(result.value, result.currency), result);
  return byValue;
}

const NOTHING = { clicks: 0, leads: 0, firstSales: 0, sales: 0, revenueCents: 0, refundedCents: 0, commissionCents: 0 };

const WEIGHTS: Record<BreakdownSort, (row: BreakdownRow, currency: string) => number> = {
  clicks: ({ clicks }) => clicks,
  leads: ({ leads }) => leads,
  sales: ({ sales }) => sales,
  revenue: (row, currency) => (row.currency === currency ? Number(row.revenueCents) : 0),
  commission: (row, currency) => (row.currency === currency ? Number(row.commissionCents) : 0),
};

const compareKeys = ([a]: BreakdownRow[], [b]: BreakdownRow[]) => ((a?.key ?? '') < (b?.key ?? '') ? -1 : 1);

function addResult(row: BreakdownRow, result: ResultCounts): void {
  row.leads += result.leads;
  row.firstSales += result.firstSales;
  row.sales += result.sales;
  row.revenueCents = addFast(row.revenueCents, result.revenueCents);
  row.refundedCents = addFast(row.refundedCents, result.refundedCents);
  row.commissionCents = addFast(row.commissionCents, result.commissionCents);
}

/** Numbers are added as numbers while that is exact: a year has tens of thousands of them. */
function addFast(one: Sum, other: Sum): Sum {
  const sum = typeof one === 'number' && typeof other === 'number' ? one + other : Number.NaN;
  return Number.isSafeInteger(sum) ? sum : add(one, other);
}

/**
 * The groups in the order of the rows, then those that are not listed, then what the counts by group do not include yet.
 * Together they are the totals.
 */
export function nameGroups(
  by: Breakdown,
  rows: BreakdownRow[],
  totals: Counts,
  names: Map<number, string>,
): NamedCounts[] {
  const groups = [...rowsByKey(rows.map((row) => ({ ...row, key: row.key ?? OTHER_KEY })))];
  const listed = groups
    .filter(([key]) => key !== OTHER_KEY)
    .map(([key, ofKey]) => ({ ...nameOf(by, key, names), ...countRows(ofKey) }));
  const counted = countRows(rows as PerformanceRow[]);
  const rest = (kind: RowKind, name: string, counts: Counts): NamedCounts[] =>
    isZero(counts) ? [] : [{ kind, id: null, value: null, name, ...counts }];
  const others = countRows(groups.find(([key]) => key === OTHER_KEY)?.[1] ?? []);
  return [
    ...listed,
    ...rest('other', 'Other', others),
    ...rest('pending', 'Still being counted', subtract(totals, counted)),
  ];
}

function nameOf(by: Breakdown, key: string, names: Map<number, string>): Omit<NamedCounts, keyof Counts> {
  const isNone = key === '' || (isRecord(by) && key === '0');
  if (isNone) return { kind: 'none', id: null, value: null, name: BREAKDOWNS[by].none };
  if (isRecord(by)) return { kind: 'value', id: Number(key), value: key, name: names.get(Number(key)) ?? key };
  return { kind: 'value', id: null, value: key, name: NAMES[by]?.(key) ?? key };
}

const NAMES: Partial<Record<Breakdown, (value: string) => string | undefined>> = {
  device: (value) => DEVICES[value as keyof typeof DEVICES],
  payment: (value) => PAYMENTS[value as keyof typeof PAYMENTS],
  country: (value) => countryNames.of(value),
};

/** New customers per click. */
export function conversionRate({ clicks, firstSales }: Counts): number | null {
  return clicks === 0 ? null : Math.round((firstSales / clicks) * 10_000) / 10_000;
}

/** Commissions per click, in the smallest unit of the currency, to two decimals. */
export function earningsPerClick(commissionCents: Sum, clicks: number): number | null {
  return clicks === 0 ? null : Math.round((Number(commissionCents) * 100) / clicks) / 100;
}

function subtract(all: Counts, part: Counts): Counts {
  const currencies = [...new Set([...all.money, ...part.money].map(({ currency }) => currency))].sort();
  return {
    clicks: all.clicks - part.clicks,
    leads: all.leads - part.leads,
    firstSales: all.firstSales - part.firstSales,
    sales: all.sales - part.sales,
    money: currencies.map((currency) => {
      const amount = (of: 'revenueCents' | 'refundedCents' | 'commissionCents') =>
        add(amountIn(all.money, currency, of), toSum(-BigInt(amountIn(part.money, currency, of))));
      return {
        currency,
        revenueCents: amount('revenueCents'),
        refundedCents: amount('refundedCents'),
        commissionCents: amount('commissionCents'),
      };
    }),
  };
}

function amountIn(money: Money[], currency: string, of: 'revenueCents' | 'refundedCents' | 'commissionCents'): Sum {
  return money.find((sums) => sums.currency === currency)?.[of] ?? 0;
}

function isZero({ clicks, leads, firstSales, sales, money }: Counts): boolean {
  const amounts = money.flatMap(({ revenueCents, refundedCents, commissionCents }) => [
    revenueCents,
    refundedCents,
    commissionCents,
  ]);
  return [clicks, leads, firstSales, sales, ...amounts].every((value) => Number(value) === 0);
}
