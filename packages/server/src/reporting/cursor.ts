import { errors, isStorableTime } from '@svc/contract';
import { z } from 'zod';

/** The last row of a page in a list ordered by time; the next page starts after it. */
export type LastRow = { at: Date; id: number };

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

const timeAndId = z.tuple([cursorTime, z.int()]);

/** The last row of the page before, in a list ordered by time; null for the first page. */
export function lastRowOfCursor(cursor: string | undefined): LastRow | null {
  if (!cursor) return null;
  const parsed = timeAndId.safeParse(decodeCursor(cursor));
  if (!parsed.success) throw errors.cursorInvalid();
  const [at, id] = parsed.data;
  return { at, id };
}

/** The cursor of a row in a list ordered by time. */
export function cursorOf({ createdAt, id }: { createdAt: Date; id: number }): (number | string)[] {
  return [createdAt.toISOString(), id];
}
