import { encodeCursor } from '../../reporting/cursor.ts';

/** A page of a list. One row more than the page was asked for: whether it came tells whether there is a next page. */
export function pageOf<Row extends { id: number }>(
  rows: Row[],
  limit: number,
  shown: (row: Row) => object,
  cursorOf: (row: Row) => (number | string)[] = ({ id }) => [id],
) {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    data: page.map(shown),
    meta: { next_cursor: rows.length > limit && last ? encodeCursor(cursorOf(last)) : null, limit },
  };
}
