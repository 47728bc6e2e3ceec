import { currencyExponent } from '@svc/contract';
import { pageLocale } from './locale.ts';

/** An amount in the smallest unit of its currency, formatted with that currency’s decimals. */
export function formatMoney(cents: number, currency: string, locale = pageLocale): string {
  const decimals = currencyExponent(currency);
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(cents / 10 ** decimals);
}

/** A short form for chart axes: `$12K`. */
export function formatMoneyShort(cents: number, currency: string, locale = pageLocale): string {
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    notation: 'compact',
    minimumFractionDigits: 0,
    maximumFractionDigits: 1,
  }).format(cents / 10 ** currencyExponent(currency));
}

export function formatCount(count: number, locale = pageLocale): string {
  return new Intl.NumberFormat(locale).format(count);
}

/** A percentage with at most one decimal; a dash when the whole is zero. */
export function formatPercent(part: number, whole: number, locale = pageLocale): string {
  if (whole === 0) return '–';
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(part / whole);
}

/** The currency a page shows first: the preferred one if there are amounts in it, otherwise the one with the most money. */
export function mainCurrency<Sum extends { currency: string }>(
  sums: Sum[],
  amountOf: (sum: Sum) => number,
  preferred?: string,
): string {
  if (preferred && sums.some(({ currency }) => currency === preferred)) return preferred;
  return [...sums].sort((a, b) => amountOf(b) - amountOf(a))[0]?.currency ?? preferred ?? 'USD';
}
