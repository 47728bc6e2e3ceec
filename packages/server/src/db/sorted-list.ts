import type { Queryable } from './db.ts';
import { type Condition, selectList, whereClause } from './list-query.ts';
import { type Sum, toSum } from './sum.ts';

/** A column that a list can be sorted by. Its SQL is never null. */
export type SortColumn = { sql: string; type: 'time' | 'number' | 'text' };

/** Text in a sort order and in a cursor: regardless of case, and not longer than a cursor can hold. */
export const textSort = (sql: string): SortColumn => ({
  sql: `left(lower(coalesce(${sql}, '')), 100)`,
  type: 'text',
});

/** Where a list comes from. Each name that the types ask for is a row that the compiler checks. */
export type ListSource<Row, SortName extends string, SumName extends string = never> = {
  /** The table with its alias, and its primary key. */
  table: string;
  id: string;
  /** Left joins by key. The database leaves out those that a statement does not use. */
  joins: string;
  /** Joins that only the rows of a page need. */
  pageJoins?: string;
  columns: Record<keyof Row, string>;
  sorts: Record<SortName, SortColumn>;
  /** What is added up, by currency. Without it, rows are only counted. */
  sums?: { currency: string; of: Record<SumName, string> };
};

export type Sort<SortName extends string> = { by: SortName; isDescending: boolean };

/** The last row of a page: the next page starts after it, whatever was added in the meantime. */
export type Position = { key: string | number | Date; id: number };

export type PageOf<SortName extends string> = { sort: Sort<SortName>; after: Position | null; limit: number };

/** A row with its position in the order of its list. */
export type Positioned<Row> = Row & { position: Position };

/** The rows of a page. They are chosen by their sort keys first, and only then joined with what they show. */
export async function listSorted<Row extends object, SortName extends string>(
  db: Queryable,
  source: ListSource<Row, SortName, string>,
  conditions: Condition[],
  { sort, after, limit }: PageOf<SortName>,
): Promise<Positioned<Row>[]> {
  const params: unknown[] = [];
  const { table, id, joins, pageJoins = '', columns } = source;
  const { sql: key } = source.sorts[sort.by];
  const [direction, comparison] = sort.isDescending ? ['desc', '<'] : ['asc', '>'];
  const rest: Condition = [`(${key}, ${id}) ${comparison} (?, ?)`, after?.key, after?.id];
  const where = whereClause([...conditions, rest], params);
  params.push(limit);
  const rows = await db.query<Row & { sortKey: Position['key']; sortId: number }>(
    `select ${selectList(columns)}, page.key as "sortKey", page.id as "sortId"
     from (
       select ${id} as id, ${key} as key from ${table} ${joins} ${where}
       order by ${key} ${direction}, ${id} ${direction} limit $${params.length}
     ) page join ${table} on ${id} = page.id ${joins} ${pageJoins}
     order by page.key ${direction}, page.id ${direction}`,
    params,
  );
  return rows.map((row) => ({ ...row, position: { key: row.sortKey, id: row.sortId } }));
}

/** How many rows match, and what they add up to in each currency. */
export type Totals<SumName extends string = never> = {
  count: number;
  currencies: ({ currency: string; count: number } & Record<SumName, Sum>)[];
};

export async function findTotals<SumName extends string>(
  db: Queryable,
  { table, joins, sums }: Pick<ListSource<object, string, SumName>, 'table' | 'joins' | 'sums'>,
  conditions: Condition[],
): Promise<Totals<SumName>> {
  const params: unknown[] = [];
  const rowsOf = `from ${table} ${joins} ${whereClause(conditions, params)}`;
  if (!sums) {
    const [row] = await db.query<{ count: number }>(`select count(*) as count ${rowsOf}`, params);
    return { count: row?.count ?? 0, currencies: [] };
  }
  const names = Object.keys(sums.of) as SumName[];
  // Sums come as text, because they may be larger than the largest integer of the database.
  const added = names.map((name) => `, sum(${sums.of[name]})::text as "${name}"`).join('');
  const rows = await db.query<{ currency: string; count: number } & Record<SumName, string>>(
    `select ${sums.currency} as currency, count(*) as count ${added} ${rowsOf} group by 1 order by 1`,
    params,
  );
  return {
    count: rows.reduce((total, { count }) => total + count, 0),
    currencies: rows.map((row) => {
      const exact = Object.fromEntries(names.map((name) => [name, toSum(row[name])])) as Record<SumName, Sum>;
      return { currency: row.currency, count: row.count, ...exact };
    }),
  };
}
