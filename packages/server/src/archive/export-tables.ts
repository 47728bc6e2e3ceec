import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db, Queryable } from '../db/db.ts';
import { listTables } from '../db/schema/tables.ts';
import { listTypedColumns, readTable, useOneMoment } from './exported-table-store.ts';
import { startFile } from './parquet.ts';

const ROWS_PER_GROUP = 5_000;
const ROWS_PER_FILE = 200_000;

/** What gets people in, or is sealed, is of no use to an analyst and does not leave the store. */
const SECRET_TABLES = new Set([
  'account_tokens',
  'address_links',
  'cli_sessions',
  'idempotency_keys',
  'invitations',
  'known_devices',
  'oauth_codes',
  'passkeys',
  'payout_methods',
  'program_keys',
  'second_factors',
  'sessions',
  'sign_in_attempts',
  'sign_ins',
  'signing_keys',
  'verifications',
]);
const SECRET_COLUMN = /_hash$|_sealed$|secret|token|password|payout_details/;

export type ExportedTable = { table: string; rows: number; files: string[] };

/**
 * Writes every table to Parquet files in a folder, as of one moment, for programs that analyze data. Credentials and sealed
 * texts are left out. With `since`, rows that were created before are left out too.
 */
export async function exportTables(
  db: Db,
  folder: string,
  since: Date | null,
  onTable: (table: string, rows: number) => void,
): Promise<ExportedTable[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return db.transaction(async (tx) => {
    await useOneMoment(tx);
    const exported: ExportedTable[] = [];
    for (const table of await listTables(tx)) {
      if (SECRET_TABLES.has(table)) continue;
      const written = await exportTable(tx, folder, table, since);
      onTable(table, written.rows);
      exported.push(written);
    }
    return exported;
  });
}

async function exportTable(tx: Queryable, folder: string, table: string, since: Date | null): Promise<ExportedTable> {
  const columns = (await listTypedColumns(tx, table)).filter(({ name }) => !SECRET_COLUMN.test(name));
  const files: string[] = [];
  let file = startFile(columns);
  let rows = 0;
  const finish = async () => {
    const name = `${table}-${String(files.length + 1).padStart(4, '0')}.parquet`;
    await writeWhole(join(folder, name), await file.finish());
    files.push(name);
  };
  for await (const group of readTable(tx, { table, columns, since }, ROWS_PER_GROUP)) {
    if (rows > 0 && rows % ROWS_PER_FILE === 0) {
      await finish();
      file = startFile(columns);
    }
    await file.add(group);
    rows += group.length;
  }
  await finish();
  return { table, rows, files };
}

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const unfinished = `${path}.unfinished`;
  const file = await open(unfinished, 'w', 0o600);
  await file.writeFile(bytes).finally(() => file.close());
  await rename(unfinished, path);
}
