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

/** An amount as people type it, in whole units: `1050` cents are `10.50`. */
export function formatUnits(cents: number, currency: string): string {
  const decimals = currencyExponent(currency);
  const digits = String(Math.abs(cents)).padStart(decimals + 1, '0');
  const units = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return cents < 0 ? `-${units}` : units;
}

/** The amount that was typed in whole units, in the smallest unit of the currency; NaN if it is none. */
export function parseUnits(text: string, currency: string): number {
  const decimals = currencyExponent(currency);
  const [, sign = '', units = '', fraction = ''] = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text.trim()) ?? [];
  if (units + fraction === '' || fraction.length > decimals) return Number.NaN;
  return Number(`${sign}${units}${fraction.padEnd(decimals, '0')}`);
}

/** The smallest step of an amount that is typed in whole units. */
export function stepOf(currency: string): string {
  return formatUnits(1, currency);
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

/** The sum in the currency of the page, if there is one, and then every other one that is not zero: none is left out. */
export function mainFirst<Sum extends { currency: string }>(
  sums: Sum[],
  amountOf: (sum: Sum) => number,
  currency: string,
): Sum[] {
  const others = sums.filter((sum) => sum.currency !== currency && amountOf(sum) !== 0);
  return [...sums.filter((sum) => sum.currency === currency), ...others];
}

/** How many there are: `1 sale`, `1,200 sales`. */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
