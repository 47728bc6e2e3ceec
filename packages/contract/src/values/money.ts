import { currencyExponent } from './currencies.ts';
import { formatDecimal } from './decimal.ts';

/** An amount in the smallest unit of its currency as texts have it, exact: `$100.00`, `¥500`, `KWD 1.500`. */
export function moneyInWords(cents: number, currency: string): string {
  return unitsInWords(formatDecimal(cents, currencyExponent(currency)), currency);
}

/** An amount in whole units, with up to four decimals: `2.5` is `$2.50`. */
export function unitsInWords(units: number | string, currency: string): string {
  const decimals = currencyExponent(currency);
  const format = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: Math.max(decimals, 4),
  });
  // Text stays exact. The type says that only numbers are taken, but the standard takes both.
  return format.format(units as number).replace('\u00a0', ' ');
}
