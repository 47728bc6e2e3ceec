import { BREAKDOWNS, type Breakdown, DEVICES } from '@svc/contract';
import { add, type Sum, toSum } from '../../db/sum.ts';
import { type Money, type Numbers, type PerformanceRow, rowsByKey, sumRows } from '../performance.ts';

/** Sums of one group in one currency; the key is null for all groups that are not listed. */
export type BreakdownRow = Omit<PerformanceRow, 'key'> & { key: string | null };

export type RowKind = 'value' | 'none' | 'other' | 'pending';
export type Counts = Numbers & { firstSales: number };
export type NamedCounts = Counts & { kind: RowKind; id: number | null; value: string | null; name: string };

export const isRecord = (by: Breakdown): by is 'partner' | 'link' => by === 'partner' || by === 'link';

const OTHER_KEY = '\0other';
const countryNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' });

/** Adds up rows, with first purchases. */
export function countRows(rows: PerformanceRow[]): Counts {
  return { ...sumRows(rows), firstSales: rows.reduce((sum, row) => sum + row.firstSales, 0) };
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
    ...rest('pending', 'Not sorted yet', subtract(totals, counted)),
  ];
}

function nameOf(by: Breakdown, key: string, names: Map<number, string>): Omit<NamedCounts, keyof Counts> {
  const isNone = isRecord(by) ? key === '0' : key === '';
  if (isNone) return { kind: 'none', id: null, value: null, name: BREAKDOWNS[by].none };
  if (isRecord(by)) return { kind: 'value', id: Number(key), value: key, name: names.get(Number(key)) ?? key };
  return { kind: 'value', id: null, value: key, name: NAMES[by]?.(key) ?? key };
}

const NAMES: Partial<Record<Breakdown, (value: string) => string | undefined>> = {
  device: (value) => DEVICES[value as keyof typeof DEVICES],
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
