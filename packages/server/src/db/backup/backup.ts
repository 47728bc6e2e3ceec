import { type FileHandle, lstat, open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Db, Queryable } from '../db.ts';
import { fingerprint, listClickMonths, listTables, quoted } from '../schema/tables.ts';

export const BACKUP_FORMAT = 1;
const ROWS_PER_FETCH = 1_000;

export type BackupHeader = { format: number; migrations: string[]; click_months: string[]; taken_at: string };
type Fingerprint = { rows: number; sum: string };
export type BackupFooter = { tables: Record<string, Fingerprint> };

/** How far a backup or its restoration is: the table that it is at, and what is done. */
export type OnProgress = (table: string, done: { rows: number } | { percent: number }) => void;

export class BackupError extends Error {}

/**
 * Writes everything in the store to a new file, as of one moment, with checksums to verify it later. The file gets its final
 * name only once it is complete. A file that already exists is never written to.
 */
export async function writeBackup(
  db: Db,
  path: string,
  now: Date,
  onProgress: OnProgress = () => {},
): Promise<BackupFooter> {
  const unfinished = `${path}.unfinished`;
  const isTaken = await lstat(path).then(() => true, isMissing);
  if (isTaken) throw new BackupError(`${path} already exists. Choose a new name for the backup.`);
  const file = await createOnly(unfinished);
  try {
    const footer = await db.transaction(async (tx) => {
      await useOneSnapshot(tx);
      const tables: BackupFooter['tables'] = {};
      const lines = Readable.from(backupLines(tx, tables, now, onProgress));
      await pipeline(lines, createGzip(), file.createWriteStream());
      return { tables };
    });
    await rename(unfinished, path);
    return footer;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(unfinished, { force: true });
    throw error;
  }
}

function isMissing(error: NodeJS.ErrnoException): false {
  if (error.code !== 'ENOENT') throw error;
  return false;
}

async function createOnly(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new BackupError(
      `${path} already exists. Another backup is being written, or one was interrupted: wait for it, or delete the file.`,
    );
  }
}

async function useOneSnapshot(tx: Queryable): Promise<void> {
  await tx.query(`set transaction isolation level repeatable read, read only; set local timezone = 'UTC'`);
}

async function* backupLines(
  tx: Queryable,
  tables: BackupFooter['tables'],
  now: Date,
  onProgress: OnProgress,
): AsyncGenerator<string> {
  let written = 0;
  const header: BackupHeader = {
    format: BACKUP_FORMAT,
    migrations: await listMigrations(tx),
    click_months: await listClickMonths(tx),
    taken_at: now.toISOString(),
  };
  yield `${JSON.stringify(header)}\n`;
  for (const table of await listTables(tx)) {
    yield `${JSON.stringify({ table })}\n`;
    await tx.query(`declare rows no scroll cursor for select row_to_json(t)::text as row from ${quoted(table)} t`);
    for (;;) {
      const rows = await tx.query<{ row: string }>(`fetch ${ROWS_PER_FETCH} from rows`);
      if (rows.length === 0) break;
      yield `[${rows.map(({ row }) => row).join(',')}]\n`;
      written += rows.length;
      onProgress(table, { rows: written });
    }
    await tx.query('close rows');
    tables[table] = await fingerprint(tx, table);
  }
  yield `${JSON.stringify({ tables } satisfies BackupFooter)}\n`;
}

export async function listMigrations(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ name: string }>('select name from schema_migrations order by name');
  return rows.map(({ name }) => name);
}
