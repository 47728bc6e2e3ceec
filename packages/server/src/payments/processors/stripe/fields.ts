import { isIdentifier, isTime } from '../../identifier-checks.ts';
import { at, record } from '../payload.ts';
import { smallestUnits } from './money.ts';

export { at, present, record } from '../payload.ts';

// Events have the shape of the API version that the account is pinned to, so no field is sure to be there.

export function money(amount: unknown, currencyCode: unknown): { amountCents: number; currency: string } {
  const currency = isIdentifier(currencyCode) ? currencyCode.toUpperCase() : 'USD';
  const isAmount = typeof amount === 'number' && Number.isSafeInteger(amount) && amount > 0;
  const amountCents = isAmount ? smallestUnits(amount, currency) : 0;
  return { amountCents: Number.isSafeInteger(amountCents) ? amountCents : 0, currency };
}

export function timeOf(seconds: unknown): Date | null {
  return isTime(seconds) ? new Date(seconds * 1000) : null;
}

/** The id of a reference, which Stripe sends either as the id or as the expanded object. */
export function idOf(value: unknown): string | null {
  if (isIdentifier(value)) return value;
  const id = at(value, 'id');
  return isIdentifier(id) ? id : null;
}

export function listOf(list: unknown): Record<string, unknown>[] {
  const rows = at(list, 'data');
  return Array.isArray(rows) ? rows.map(record).filter((row) => row !== null) : [];
}
