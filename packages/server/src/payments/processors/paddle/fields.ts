import { isStorableTime } from '@svc/contract';
import { isIdentifier } from '../../identifier-checks.ts';

export function idOf(value: unknown): string | null {
  return isIdentifier(value) ? value : null;
}

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

/** A time in RFC 3339, in UTC or with an offset. */
export function timeOf(value: unknown): Date | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value)) return null;
  const time = new Date(value);
  return isStorableTime(time) ? time : null;
}

/** The value if it may be an e-mail address. */
export function emailText(email: unknown): string | undefined {
  return typeof email === 'string' && email.includes('@') ? email : undefined;
}

/** A text in custom data, which may also hold whole numbers. */
export function customText(value: unknown): string | undefined {
  const text = Number.isSafeInteger(value) ? String(value) : value;
  return isIdentifier(text) ? text : undefined;
}
