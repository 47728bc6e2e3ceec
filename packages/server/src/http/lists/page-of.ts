import { encodeCursor } from './cursor.ts';

export type Page<Row> = { data: Row[]; meta: { next_cursor: string | null; limit: number } };

/** A page of a list. The query reads one row more than `limit`, to know whether there is a next page. */
export function pageOf<Row>(rows: Row[], limit: number, cursorOf: (row: Row) => (number | string)[]): Page<Row> {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  return { data, meta: { next_cursor: rows.length > limit && last ? encodeCursor(cursorOf(last)) : null, limit } };
}
