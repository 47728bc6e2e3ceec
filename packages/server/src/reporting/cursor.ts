import { errors } from '@svc/contract';
import { z } from 'zod';

/** Where a list that is ordered by time goes on: before this row. */
export type Place = { at: Date; id: number };

/** A place in a list, as text that callers hand back without looking into it. */
export function encodeCursor(parts: (number | string)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** The parts of a cursor; null when there is none or it was not made here. */
export function decodeCursor(cursor: string | undefined): (number | string)[] | null {
  if (!cursor) return null;
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) && parts.every((part) => ['number', 'string'].includes(typeof part)) ? parts : null;
  } catch {
    return null;
  }
}

/** The id that a list ordered by id goes on from; null for its first page. */
export function idOfCursor(cursor: string | undefined): number | null {
  if (!cursor) return null;
  const [id, ...more] = decodeCursor(cursor) ?? [];
  if (!Number.isSafeInteger(id) || more.length > 0) throw errors.cursorInvalid();
  return id as number;
}

const place = z.tuple([z.iso.datetime(), z.int()]);

/** The time and id that a list ordered by time goes on from; null for its first page. */
export function placeOfCursor(cursor: string | undefined): Place | null {
  if (!cursor) return null;
  const parsed = place.safeParse(decodeCursor(cursor));
  if (!parsed.success) throw errors.cursorInvalid();
  const [at, id] = parsed.data;
  return { at: new Date(at), id };
}

/** The cursor of a row in a list ordered by time. */
export function placeOf({ createdAt, id }: { createdAt: Date; id: number }): (number | string)[] {
  return [createdAt.toISOString(), id];
}
