import { errors, isStorable } from '@svc/contract';
import { z } from 'zod';
import type { Queryable } from '../../db/db.ts';
import type { Selection } from '../../db/lists/list-query.ts';
import {
  type ListSource,
  listSorted,
  type PageOf,
  type Position,
  type Sort,
  type SortColumn,
} from '../../db/lists/sorted-list.ts';
import { cursorTime, decodeCursor, encodeCursor } from './cursor.ts';
import type { Page } from './page-of.ts';

type SortedQuery<SortName extends string> = { sort: SortName | `-${SortName}`; cursor?: string; limit: number };

/** The order of most lists. Its cursors do not name it, as before lists could be sorted. */
const NEWEST_FIRST = '-created_at';

/** How the sort key of a cursor is read. */
export const SORT_KEYS: Record<SortColumn['type'], z.ZodType<Position['key']>> = {
  time: cursorTime,
  number: z.int(),
  text: z.string().max(200).refine(isStorable),
};

/** The page that a query asks for, with one row more, to know whether there is a next page. */
function pageFor<SortName extends string>(
  { sort: text, cursor, limit }: SortedQuery<SortName>,
  sorts: Record<SortName, SortColumn>,
): PageOf<SortName> {
  const sort = parseSort(text);
  return { sort, after: cursor ? positionIn(cursor, text, sorts[sort.by].type) : null, limit: limit + 1 };
}

/** A field, or a field with `-` before it. */
export function parseSort<SortName extends string>(text: SortName | `-${SortName}`): Sort<SortName> {
  const isDescending = text.startsWith('-');
  return { by: (isDescending ? text.slice(1) : text) as SortName, isDescending };
}

/** A cursor belongs to one order. In another one it would skip and repeat rows. */
function positionIn(cursor: string, sort: string, type: SortColumn['type']): Position {
  const parsed = z.tuple([SORT_KEYS[type], z.int()], z.literal(sort)).safeParse(decodeCursor(cursor));
  if (!parsed.success || parsed.data.length !== (sort === NEWEST_FIRST ? 2 : 3)) throw errors.cursorInvalid();
  const [key, id] = parsed.data;
  return { key, id };
}

/** The reply with a page of a sorted list. */
export async function sortedPage<Row, SortName extends string>(
  db: Queryable,
  source: ListSource<Row, SortName, string>,
  selection: Selection,
  query: SortedQuery<SortName>,
): Promise<Page<Row>> {
  const { sort, limit } = query;
  const listed = await listSorted(db, source, selection, pageFor(query, source.sorts));
  const page = listed.slice(0, limit);
  const last = listed.length > limit ? page.at(-1) : undefined;
  return {
    data: page.map(({ row }) => row),
    meta: { next_cursor: last ? cursorAt(last.position, sort) : null, limit },
  };
}

function cursorAt({ key, id }: Position, sort: string): string {
  const order = sort === NEWEST_FIRST ? [] : [sort];
  return encodeCursor([key instanceof Date ? key.toISOString() : key, id, ...order]);
}
