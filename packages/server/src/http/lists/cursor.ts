import { errors, isStorableTime } from '@svc/contract';
import { z } from 'zod';

/** The position in a list as opaque text, which callers send back unchanged. */
export function encodeCursor(parts: (number | string)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** The parts of a cursor; null when there is none or this service did not create it. */
export function decodeCursor(cursor: string | undefined): (number | string)[] | null {
  if (!cursor) return null;
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) && parts.every((part) => ['number', 'string'].includes(typeof part)) ? parts : null;
  } catch {
    return null;
  }
}

/** The last id of the page before, in a list ordered by id; null for the first page. */
export function idOfCursor(cursor: string | undefined): number | null {
  if (!cursor) return null;
  const [id, ...more] = decodeCursor(cursor) ?? [];
  if (!Number.isSafeInteger(id) || more.length > 0) throw errors.cursorInvalid();
  return id as number;
}

/** The time in a cursor. */
export const cursorTime = z.iso
  .datetime()
  .transform((text) => new Date(text))
  .refine(isStorableTime);
