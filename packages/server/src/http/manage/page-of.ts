import { encodeCursor } from '../../reporting/cursor.ts';

export type Page<Shown> = { data: Shown[]; meta: { next_cursor: string | null; limit: number } };

/** A page of a list. One row more than the page holds is read: whether it is there says whether a next page exists. */
export function pageOf<Row extends { id: number }, Shown>(
  rows: Row[],
  limit: number,
  toReply: (row: Row) => Shown,
): Page<Shown>;
export function pageOf<Row, Shown>(
  rows: Row[],
  limit: number,
  toReply: (row: Row) => Shown,
  cursorOf: (row: Row) => (number | string)[],
): Page<Shown>;
export function pageOf<Row extends { id?: number }, Shown>(
  rows: Row[],
  limit: number,
  toReply: (row: Row) => Shown,
  cursorOf: (row: Row) => (number | string)[] = ({ id = 0 }) => [id],
): Page<Shown> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    data: page.map(toReply),
    meta: { next_cursor: rows.length > limit && last ? encodeCursor(cursorOf(last)) : null, limit },
  };
}
