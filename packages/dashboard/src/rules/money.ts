import { currencyExponent } from '@svc/contract';

/** An amount in the smallest unit as people write it, with the decimals of its own currency. */
export function formatMoney(cents: number, currency: string, locale?: string): string {
  const decimals = currencyExponent(currency);
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(cents / 10 ** decimals);
}

/** The same without decimals that nobody reads on an axis: `$12K`. */
export function formatMoneyShort(cents: number, currency: string, locale?: string): string {
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    notation: 'compact',
    minimumFractionDigits: 0,
    maximumFractionDigits: 1,
  }).format(cents / 10 ** currencyExponent(currency));
}

export function formatCount(count: number, locale?: string): string {
  return new Intl.NumberFormat(locale).format(count);
}

/** A share as percent with at most one decimal; a dash where there is nothing to divide by. */
export function formatShare(part: number, whole: number, locale?: string): string {
  if (whole === 0) return '–';
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(part / whole);
}

type Sum = { currency: string };

/** Picks the currency that a page shows first: the program's own where it occurs, otherwise the one with most money. */
export function mainCurrency<Part extends Sum>(parts: Part[], amount: (part: Part) => number, preferred?: string) {
  if (preferred && parts.some(({ currency }) => currency === preferred)) return preferred;
  return [...parts].sort((a, b) => amount(b) - amount(a))[0]?.currency ?? preferred ?? 'USD';
}
