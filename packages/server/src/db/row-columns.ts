type ColumnType = 'bigint' | 'boolean' | 'integer' | 'jsonb' | 'numeric' | 'text' | 'timestamptz';

/** The columns that rows give to a statement, and their types in SQL. */
export type RowColumns<Column extends string> = Record<Column, ColumnType>;

/**
 * A select list that makes rows of the parameters from `columnValues`, in their order. The database takes less than half of the time that
 * it takes for rows of JSON, and in a `from` clause `unnest` would keep each column in memory once more.
 */
export function rowsOfColumns(columns: RowColumns<string>): string {
  return Object.entries(columns)
    .map(([column, type], index) => `unnest($${index + 1}::${type}[]) as ${column}`)
    .join(', ');
}

/** The rows as parameters: for each column, an array with its value in each row. A value that is missing is null. */
export function columnValues<Column extends string>(
  columns: RowColumns<Column>,
  rows: Partial<Record<Column, unknown>>[],
): string[] {
  return Object.entries(columns).map(([column, type]) => {
    const values = rows.map((row) => row[column as Column]);
    if (type === 'jsonb') return arrayText(values.map(jsonElement), false);
    return arrayText(values, type === 'text' || type === 'timestamptz');
  });
}

// In JSON there are no control characters, so what JSON escapes in it is what Postgres wants escaped: quotes and backslashes.
const jsonElement = (value: unknown) =>
  value === null || value === undefined ? null : JSON.stringify(JSON.stringify(value));

/**
 * An array as Postgres reads it, in a third of the time that the driver takes: numbers need no quotes, and most columns have the same
 * value in row after row.
 */
export function arrayText(values: unknown[], isQuoted: boolean): string {
  let last: unknown;
  let text = 'NULL';
  const elements = values.map((value) => {
    if (value !== last) {
      last = value;
      text = elementText(value, isQuoted);
    }
    return text;
  });
  return `{${elements.join(',')}}`;
}

const SPECIAL = /["\\]/;
const EACH_SPECIAL = /["\\]/g;

function elementText(value: unknown, isQuoted: boolean): string {
  if (value === null || value === undefined) return 'NULL';
  const text = value instanceof Date ? value.toISOString() : String(value);
  if (!isQuoted) return text;
  return SPECIAL.test(text) ? `"${text.replace(EACH_SPECIAL, '\\$&')}"` : `"${text}"`;
}
