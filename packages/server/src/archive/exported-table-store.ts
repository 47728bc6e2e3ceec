import type { Queryable } from '../db/db.ts';
import { listColumns, quoted } from '../db/schema/tables.ts';
import type { Column, ColumnType, ParquetRow } from './parquet.ts';

const TYPES: Record<string, ColumnType> = {
  int8: 'INT64',
  int4: 'INT64',
  int2: 'INT64',
  bool: 'BOOLEAN',
  timestamptz: 'TIMESTAMP',
};

/** Makes all that the transaction reads be as of one moment. */
export async function useOneMoment(tx: Queryable): Promise<void> {
  await tx.query(`set transaction isolation level repeatable read, read only; set local timezone = 'UTC'`);
}

/** The columns of a table and how files hold them; what has no type of its own there is text. */
export async function listTypedColumns(tx: Queryable, table: string): Promise<Column[]> {
  const types = await tx.query<{ name: string; type: string }>(
    `select a.attname as name, t.typname as type from pg_attribute a join pg_type t on t.oid = a.atttypid
     where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped`,
    [quoted(table)],
  );
  const typeOf = new Map(types.map(({ name, type }) => [name, TYPES[type]]));
  return (await listColumns(tx, table)).map((name) => ({ name, type: typeOf.get(name) ?? 'STRING' }));
}

/** The rows of a table, so many at a time; with `since`, those that were created from then on, if the table says when that was. */
export async function* readTable(
  tx: Queryable,
  { table, columns, since }: { table: string; columns: Column[]; since: Date | null },
  limit: number,
): AsyncGenerator<ParquetRow[]> {
  const time = columns.find(({ name }) => name === 'created_at' || name === 'clicked_at')?.name;
  const from = since && time ? `where ${quoted(time)} >= '${since.toISOString()}'` : '';
  const selected = columns.map(({ name, type }) => (type === 'STRING' ? `${quoted(name)}::text` : quoted(name)));
  await tx.query(`declare exported no scroll cursor for select ${selected.join(', ')} from ${quoted(table)} ${from}`);
  for (;;) {
    const rows = await tx.query<ParquetRow>(`fetch ${limit} from exported`);
    if (rows.length > 0) yield rows;
    if (rows.length < limit) break;
  }
  await tx.query('close exported');
}
