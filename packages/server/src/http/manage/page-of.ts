import { encodeCursor } from '../../reporting/cursor.ts';

export type Page = { data: object[]; meta: { next_cursor: string | null; limit: number } };

/** A page of a list. One row more than the page was asked for: whether it came tells whether there is a next page. */
export function pageOf<Row extends { id: number }>(rows: Row[], limit: number, shown: (row: Row) => object): Page;
export function pageOf<Row>(
  rows: Row[],
  limit: number,
  shown: (row: Row) => object,
  cursorOf: (row: Row) => (number | string)[],
): Page;
export function pageOf<Row>(
  rows: Row[],
  limit: number,
  shown: (row: Row) => object,
  cursorOf: (row: Row) => (number | string)[] = (row) => [(row as { id: number }).id],
): Page {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    data: page.map(shown),
    meta: { next_cursor: rows.length > limit && last ? encodeCursor(cursorOf(last)) : null, limit },
  };
}
