import { encodeCursor } from '../../reporting/lists/cursor.ts';

export type Page<Reply> = { data: Reply[]; meta: { next_cursor: string | null; limit: number } };

/** A page of a list. The query reads one row more than `limit`, to know whether there is a next page. */
export function pageOf<Row extends { id: number }, Reply>(
  rows: Row[],
  limit: number,
  toReply: (row: Row) => Reply,
): Page<Reply>;
export function pageOf<Row, Reply>(
  rows: Row[],
  limit: number,
  toReply: (row: Row) => Reply,
  cursorOf: (row: Row) => (number | string)[],
): Page<Reply>;
export function pageOf<Row extends { id?: number }, Reply>(
  rows: Row[],
  limit: number,
  toReply: (row: Row) => Reply,
  cursorOf: (row: Row) => (number | string)[] = ({ id = 0 }) => [id],
): Page<Reply> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    data: page.map(toReply),
    meta: { next_cursor: rows.length > limit && last ? encodeCursor(cursorOf(last)) : null, limit },
  };
}
