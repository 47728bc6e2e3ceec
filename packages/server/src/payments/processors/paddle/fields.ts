export { customText, emailText, idOf, timeOf } from '../fields.ts';

/** An amount, which Paddle sends as text in the smallest unit of the currency. Null if it is none. */
export function centsOf(amount: unknown): number | null {
  if (typeof amount !== 'string' || !/^\d{1,16}$/.test(amount)) return null;
  const cents = Number(amount);
  return Number.isSafeInteger(cents) ? cents : null;
}

/** An amount that may be negative, of which nothing was paid then. */
export function paidCentsOf(amount: unknown): number | null {
  return typeof amount === 'string' && /^-\d{1,16}$/.test(amount) ? 0 : centsOf(amount);
}
