import { exportTables } from '../archive/export-tables.ts';
import { OperatorError, type RunCommand } from './command.ts';

export const exportParquet: RunCommand = async (ctx, { parquet = '', since }, _baseUrl, report) => {
  const from = since === undefined ? null : new Date(since);
  if (from && Number.isNaN(from.getTime()))
    throw new OperatorError('--since must be a time in ISO 8601, such as 2026-01-01');
  const tables = await exportTables(ctx.db, parquet, from, (table, rows) =>
    report(`${table}: ${rows.toLocaleString('en')} rows`),
  );
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const text = `Wrote ${rows.toLocaleString('en')} rows of ${tables.length} tables to ${parquet}. Credentials and sealed texts are left out.`;
  return { data: { tables }, text };
};
