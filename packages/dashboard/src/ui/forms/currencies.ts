import { CURRENCIES } from '@svc/contract';

/** Listed first, because most programs use one of them. */
const COMMON = ['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'CHF', 'JPY', 'INR', 'BRL', 'SEK'];
const ORDERED = [...COMMON, ...CURRENCIES.filter((code) => !COMMON.includes(code))];
const NAMES = new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' });

/** A currency with its name: “USD, US Dollar”. */
export function labelOfCurrency(code: string): string {
  const name = NAMES.of(code);
  return name ? `${code}, ${name}` : code;
}

/** Currencies whose code or name contains the text, regardless of case; those whose code begins with it come first. */
export function findCurrencies(text: string): string[] {
  const wanted = text.toLowerCase();
  const found = ORDERED.filter((code) => labelOfCurrency(code).toLowerCase().includes(wanted));
  const startsWith = (code: string) => (code.toLowerCase().startsWith(wanted) ? 0 : 1);
  return found.toSorted((one, other) => startsWith(one) - startsWith(other));
}
