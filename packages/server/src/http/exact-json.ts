import { randomUUID } from 'node:crypto';

/**
 * JSON with exact integers. Amounts are numbers, but their sums can be too large for one and are then `bigint`, which
 * `JSON.stringify` refuses.
 */
export function exactJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return withBigIntegers(value);
  }
}

function withBigIntegers(value: unknown): string {
  // A random marker, so that no text from callers can be mistaken for a number.
  const mark = randomUUID();
  const text = JSON.stringify(value, (_name, part) => (typeof part === 'bigint' ? `${mark}${part}` : part));
  return text.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
}
