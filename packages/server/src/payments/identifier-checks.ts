import { isStorable, MAX_IDENTIFIER_CHARS } from '@svc/contract';

/** Whether the value is an identifier that can be stored. */
export function isIdentifier(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_IDENTIFIER_CHARS && isStorable(value);
}

const LAST_SECOND = Date.UTC(9999, 11, 31) / 1000;

/** Whether the value is a Unix time in whole seconds that can be stored. */
export function isTime(seconds: unknown): seconds is number {
  return typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 0 && seconds <= LAST_SECOND;
}
