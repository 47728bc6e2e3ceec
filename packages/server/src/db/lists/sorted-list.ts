import { z } from 'zod';
import type { Queryable } from '../db.ts';
import { andFilters, type Condition, type Selection, selectList, whereClause } from './list-query.ts';
import { type Sum, toSum } from './sum.ts';

/** A column that a list can be sorted by. Its SQL is never null. */
export type SortColumn = { sql: string; type: 'time' | 'number' | 'text' };

type From = {
  /** The table with the primary key `id`, and its alias. */
  table: string;
  as: string;
  /** Left joins by key. The database leaves out those that a statement does not use. */
  joins?: string;
  /** Joins that only the rows of a page need. */
  pageJoins?: string;
};

/**
 * What a list says about its rows, which the contract declares: each field is the column of its name, unless `columns` has other
 * SQL for it or `computed` computes it.
 */
type Declaration<
  Row extends object,
  SortName extends string,
  SumName extends keyof Row & string,
  Computed extends keyof Row,
  Facts extends object,
> = From & {
  /** The schema of a row in the contract. */
  row: { shape: Record<keyof Row, unknown> };
  /** SQL of the fields that are not the column of their name, and of the facts that others are computed from. */
  columns: Partial<Record<Exclude<keyof Row, Computed>, string>> & Record<keyof Facts, string>;
  /** The fields that are computed from what was read, times as text. */
  computed: { [Field in Computed]: (read: Omit<Row, Computed> & Facts) => Row[Field] };
  /** The type of the field that rows are sorted by, or a column of its own. */
  sorts: Record<SortName, SortColumn['type'] | SortColumn>;
  /** The fields that are added up, by currency. Without them, rows are only counted. */
  sums?: Record<SumName, unknown>;
};

/** Where the rows of a list come from. */
export type ListSource<Row, SortName extends string, SumName extends string = never> = From & {
  columns: Record<string, string>;
  sorts: Record<SortName, SortColumn>;
  sums: readonly SumName[];
  /** The names of all fields, in the order of the contract. */
  fields: string[];
  rowOf: (read: Record<string, unknown>) => Row;
  /** The same for a row that the database has made JSON of, which spells times its own way. */
  rowOfJson: (read: Record<string, unknown>) => Row;
};

export function listSource<
  Row extends object,
  SortName extends string,
  SumName extends keyof Row & string = never,
  Computed extends keyof Row = never,
  Facts extends object = object,
>(declared: Declaration<Row, SortName, SumName, Computed, Facts>): ListSource<Row, SortName, SumName> {
  const { row, sums = {}, ...from } = declared;
  const fields = Object.keys(row.shape);
  const computed: Record<string, (read: never) => unknown> = declared.computed;
  const own = fields.filter((field) => !computed[field]).map((field) => [field, `${from.as}.${field}`]);
  const columns: Record<string, string> = { ...Object.fromEntries(own), ...declared.columns };
  const sorts = Object.entries<SortColumn['type'] | SortColumn>(declared.sorts).map(([name, sort]) => {
    return [name, typeof sort === 'string' ? sortColumn(columns[name] as string, sort) : sort];
  });
  const times = fields.filter((field) => isTime(row.shape[field as keyof Row]));
  const rowOf = (read: Record<string, unknown>) => {
    const facts: Record<string, unknown> = timesAsText(read);
    return Object.fromEntries(
      fields.map((field) => [field, computed[field] ? computed[field](facts as never) : facts[field]]),
    ) as Row;
  };
  return {
    ...from,
    columns,
    sorts: Object.fromEntries(sorts),
    sums: Object.keys(sums) as SumName[],
    fields,
    rowOf,
    rowOfJson(read) {
      const dated = times.map((field) => [field, read[field] === null ? null : new Date(String(read[field]))]);
      return rowOf({ ...read, ...Object.fromEntries(dated) });
    },
  };
}

/** Whether the contract declares a field as a time. */
function isTime(type: unknown): boolean {
  if (type instanceof z.ZodNullable) return isTime(type.unwrap());
  return type instanceof z.ZodISODateTime;
}

/** A row as replies have it: times are text. */
export function timesAsText<Row extends object>(read: object): Row {
  const entries = Object.entries(read);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  ) as Row;
}

/** Text is compared regardless of case, and not longer than a cursor can hold. */
export function sortColumn(sql: string, type: SortColumn['type']): SortColumn {
  return { sql: type === 'text' ? `left(lower(coalesce(${sql}, '')), 100)` : sql, type };
}

export type Sort<SortName extends string> = { by: SortName; isDescending: boolean };

/** The last row of a page: the next page starts after it, whatever was added in the meantime. */
export type Position = { key: string | number | Date; id: number };

export type PageOf<SortName extends string> = { sort: Sort<SortName>; after: Position | null; limit: number };

/** A row, and its position in the order of its list. */
export type Listed<Row> = { row: Row; position: Position };

/** The rows of a page. They are chosen by their sort keys first, and only then joined with what they show. */
export async function listSorted<Row, SortName extends string>(
  db: Queryable,
  source: ListSource<Row, SortName, string>,
  selection: Selection,
  { sort, after, limit }: PageOf<SortName>,
): Promise<Listed<Row>[]> {
  const params: unknown[] = [];
  const { table, as, joins = '', pageJoins = '' } = source;
  const { sql: key } = source.sorts[sort.by];
  const [direction, comparison] = sort.isDescending ? ['desc', '<'] : ['asc', '>'];
  const rest: Condition = [`(${key}, ${as}.id) ${comparison} (?, ?)`, after?.key, after?.id];
  const where = whereClause(selection, params) + andFilters([rest], params);
  params.push(limit);
  const rows = await db.query<Record<string, unknown> & { sortKey: Position['key']; sortId: number }>(
    `select ${selectList(source.columns)}, page.key as "sortKey", page.id as "sortId"
     from (
       select ${as}.id, ${key} as key from ${table} ${as} ${joins} ${where}
       order by ${key} ${direction}, ${as}.id ${direction} limit $${params.length}
     ) page join ${table} ${as} on ${as}.id = page.id ${joins} ${pageJoins}
     order by page.key ${direction}, page.id ${direction}`,
    params,
  );
  return rows.map(({ sortKey, sortId, ...read }) => ({
    row: source.rowOf(read),
    position: { key: sortKey, id: sortId },
  }));
}

/** The selected rows, newest first; with a limit, only the first ones. */
export async function findRows<Row>(
  db: Queryable,
  source: ListSource<Row, string, string>,
  selection: Selection,
  limit: number | null = null,
): Promise<Row[]> {
  const params: unknown[] = [];
  const { table, as, joins = '', pageJoins = '', columns } = source;
  const where = whereClause(selection, params);
  params.push(limit);
  const rows = await db.query(
    `select ${selectList(columns)} from ${table} ${as} ${joins} ${pageJoins} ${where}
     order by ${as}.id desc limit $${params.length}`,
    params,
  );
  return rows.map(source.rowOf);
}

/** The ids of the selected rows, newest first, at most so many. */
export async function listIds(
  db: Queryable,
  { table, as, joins = '', columns }: Pick<ListSource<object, string, string>, 'table' | 'as' | 'joins' | 'columns'>,
  selection: Selection,
  limit: number,
): Promise<number[]> {
  const params: unknown[] = [];
  const where = whereClause(selection, params);
  params.push(limit);
  const rows = await db.query<{ id: number }>(
    `select ${columns.id} as id from ${table} ${as} ${joins} ${where} order by 1 desc limit $${params.length}`,
    params,
  );
  return rows.map(({ id }) => id);
}

/** The one row that is selected; null when there is none. */
export async function findRow<Row>(
  db: Queryable,
  source: ListSource<Row, string, string>,
  scope: Condition[],
): Promise<Row | null> {
  const [row] = await findRows(db, source, { scope, filters: [] }, 1);
  return row ?? null;
}

/** Of what is selected, the row with this id. */
export function withId(
  { columns }: Pick<ListSource<object, string, string>, 'columns'>,
  { scope, filters }: Selection,
  id: number,
): Selection {
  return { scope: [...scope, [`${columns.id} = ?`, id]], filters };
}

/** Of what is selected, the rows with these ids, by id. */
export async function findRowsById<Row extends { id: number }>(
  db: Queryable,
  source: ListSource<Row, string, string>,
  { scope, filters }: Selection,
  ids: number[],
): Promise<Map<number, Row>> {
  if (ids.length === 0) return new Map();
  const selection = {
    scope: [...scope, [`${source.columns.id} = any (?::bigint[])`, ids] satisfies Condition],
    filters,
  };
  return new Map((await findRows(db, source, selection)).map((row) => [row.id, row]));
}

/** How many rows match, and what they add up to in each currency. */
export type Totals<SumName extends string = never> = {
  count: number;
  totals: ({ currency: string; count: number } & Record<SumName, Sum>)[];
};

export async function findTotals<SumName extends string>(
  db: Queryable,
  { table, as, joins = '', columns, sums }: Omit<ListSource<object, string, SumName>, 'rowOf' | 'sorts'>,
  selection: Selection,
): Promise<Totals<SumName>> {
  const params: unknown[] = [];
  const rowsOf = `from ${table} ${as} ${joins} ${whereClause(selection, params)}`;
  if (sums.length === 0) {
    const [row] = await db.query<{ count: number }>(`select count(*) as count ${rowsOf}`, params);
    return { count: row?.count ?? 0, totals: [] };
  }
  // Sums come as text, because they may be larger than the largest integer of the database.
  const added = sums.map((name) => `, sum(${columns[name]})::text as "${name}"`).join('');
  const rows = await db.query<{ currency: string; count: number } & Record<SumName, string>>(
    `select ${columns.currency} as currency, count(*) as count ${added} ${rowsOf} group by 1 order by 1`,
    params,
  );
  return {
    count: rows.reduce((total, { count }) => total + count, 0),
    totals: rows.map((row) => {
      const exact = Object.fromEntries(sums.map((name) => [name, toSum(row[name])])) as Record<SumName, Sum>;
      return { currency: row.currency, count: row.count, ...exact };
    }),
  };
}
