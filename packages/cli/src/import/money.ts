import { currencyExponent, isCurrency } from '@svc/contract';

/** What a tool counts amounts in: cents and the like, or whole units with decimals. */
export type Unit = 'smallest' | 'whole';

type Amount = { cents: number; problem: null } | { cents: null; problem: string };

const refused = (problem: string): Amount => ({ cents: null, problem });

/** An amount as a whole number of the smallest unit of its currency. Nothing is rounded: what does not fit is a problem. */
export function centsOf(amount: number | string, currency: string, unit: Unit): Amount {
  const text = String(amount).trim();
  if (!isCurrency(currency)) return refused(`"${currency}" is not a currency`);
  const [, sign = '', whole = '', decimals = ''] = /^(-?)(\d{1,15})(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === '') return refused(`"${text}" is not an amount`);
  const exponent = unit === 'whole' ? currencyExponent(currency) : 0;
  if (decimals.length > exponent) return refused(tooPrecise(text, currency, unit, exponent));
  const cents = Number(`${sign}${whole}${decimals.padEnd(exponent, '0')}`);
  // 0 has a sign too.
  return Number.isSafeInteger(cents) ? { cents: cents || 0, problem: null } : refused(`"${text}" is too large`);
}

function tooPrecise(text: string, currency: string, unit: Unit, exponent: number): string {
  if (unit === 'smallest') return `"${text}" is not a whole number of the smallest unit of ${currency}`;
  return `"${text}" has more decimals than ${currency}, which has ${exponent}`;
}
