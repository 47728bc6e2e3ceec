type ColumnType = 'bigint' | 'boolean' | 'integer' | 'jsonb' | 'numeric' | 'text' | 'timestamptz';

/** The columns that rows give to a statement, and their types in SQL. */
export type RowColumns<Column extends string> = Record<Column, ColumnType>;

/**
 * A select list that makes rows of the parameters from `columnValues`, in their order. The database takes less than half of the time that
 * it takes for JSON, and in a `from` clause `unnest` would keep each column in memory once more.
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
): unknown[][] {
  return Object.entries(columns).map(([column, type]) => {
    const values = rows.map((row) => row[column as Column] ?? null);
    if (type === 'jsonb') return values.map((value) => (value === null ? null : JSON.stringify(value)));
    // As JSON has them: the drivers write times in arrays in other ways.
    if (type === 'timestamptz') return values.map((value) => (value instanceof Date ? value.toISOString() : value));
    return values;
  });
}
