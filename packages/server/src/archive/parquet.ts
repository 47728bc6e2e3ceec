import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { ByteWriter, type ColumnSource, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';

export type ColumnType = 'INT64' | 'BOOLEAN' | 'TIMESTAMP' | 'STRING';
export type Column = { name: string; type: ColumnType };

/** A row by the names of its columns, as the database returns it. */
export type ParquetRow = Record<string, number | bigint | boolean | string | Date | null>;

/** Writes a file group by group, so that one group is in memory as objects, and the rest as compressed bytes. */
export function startFile(columns: Column[]): {
  add(rows: ParquetRow[]): Promise<void>;
  finish(): Promise<Uint8Array>;
} {
  const bytes = new ByteWriter();
  const empty = columns.map(({ name, type }): ColumnSource => ({ name, type, data: [] }));
  const writer = new ParquetWriter({ writer: bytes, schema: schemaFromColumnData({ columnData: empty }) });
  return {
    async add(rows) {
      const columnData = columns.map(({ name, type }) => ({
        name,
        type,
        data: rows.map((row) => stored(row[name], type)),
      }));
      await writer.write({ columnData, rowGroupSize: rows.length });
    },
    async finish() {
      await writer.finish();
      return new Uint8Array(bytes.getBuffer());
    },
  };
}

function stored(value: ParquetRow[string] | undefined, type: ColumnType): unknown {
  if (value === null || value === undefined) return null;
  if (type === 'INT64') return BigInt(value as number);
  // Postgres has times before and after all others, and Parquet has not.
  return type === 'TIMESTAMP' && !(value instanceof Date) ? null : value;
}

/** Reads rows back as they were written; `from` and `to` are positions of rows. */
export async function readRows(
  file: AsyncBuffer,
  { metadata, from, to }: { metadata?: FileMetaData; from?: number; to?: number } = {},
): Promise<ParquetRow[]> {
  const rows = await parquetReadObjects({
    file,
    ...(metadata && { metadata }),
    ...(from !== undefined && { rowStart: from }),
    ...(to !== undefined && { rowEnd: to }),
  });
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, asNumber(value)])));
}

const asNumber = (value: unknown) =>
  (typeof value === 'bigint' ? Number(value) : (value ?? null)) as ParquetRow[string];

/** The positions of the rows whose groups may have this value in a column that the file is sorted by. Null if none has. */
export async function findGroups(
  file: AsyncBuffer,
  column: string,
  value: number,
): Promise<{ metadata: FileMetaData; from: number; to: number } | null> {
  const metadata = await parquetMetadataAsync(file);
  let position = 0;
  let from: number | null = null;
  let to = 0;
  for (const group of metadata.row_groups) {
    const end = position + Number(group.num_rows);
    const chunk = group.columns.find(({ meta_data: about }) => about?.path_in_schema.join('.') === column)?.meta_data;
    const { min_value: least, max_value: most } = chunk?.statistics ?? {};
    const mayHave = least === undefined || most === undefined || (Number(least) <= value && value <= Number(most));
    if (mayHave) {
      from ??= position;
      to = end;
    }
    position = end;
  }
  return from === null ? null : { metadata, from, to };
}
