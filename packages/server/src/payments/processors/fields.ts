import { isStorableTime } from '@svc/contract';
import { isIdentifier } from '../identifier-checks.ts';

export function idOf(value: unknown): string | null {
  return isIdentifier(value) ? value : null;
}

/** An amount that is sent as a whole number in the smallest unit of its currency. Null if it is none. */
export function wholeCents(amount: unknown): number | null {
  return typeof amount === 'number' && Number.isSafeInteger(amount) && amount >= 0 ? amount : null;
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

/** A text in the shop's own data, which may also hold whole numbers. */
export function customText(value: unknown): string | undefined {
  const text = Number.isSafeInteger(value) ? String(value) : value;
  return isIdentifier(text) ? text : undefined;
}
