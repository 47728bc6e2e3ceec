import { createReadStream } from 'node:fs';
import { type FileHandle, lstat, open, rename, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Db, Queryable } from './db.ts';
import { fingerprint, listClickMonths, listColumns, listTables, quoted } from './tables.ts';

const FORMAT = 1;
const ROWS_PER_FETCH = 1_000;

type Header = { format: number; migrations: string[]; click_months: string[]; taken_at: string };
type Fingerprint = { rows: number; sum: string };
type Footer = { tables: Record<string, Fingerprint> };

export class BackupError extends Error {}

/**
 * Writes everything in the store to a new file, as of one moment, with checksums to verify it later. The file gets its final
 * name only once it is complete. A file that already exists is never written to.
 */
export async function writeBackup(db: Db, path: string, now: Date): Promise<Footer> {
  const unfinished = `${path}.unfinished`;
  const isTaken = await lstat(path).then(() => true, isMissing);
  if (isTaken) throw new BackupError(`${path} already exists. Choose a new name for the backup.`);
  const file = await createOnly(unfinished);
  try {
    const footer = await db.transaction(async (tx) => {
      await useOneSnapshot(tx);
      const tables: Footer['tables'] = {};
      const lines = Readable.from(backupLines(tx, tables, now));
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

async function* backupLines(tx: Queryable, tables: Footer['tables'], now: Date): AsyncGenerator<string> {
  const header: Header = {
    format: FORMAT,
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
    }
    await tx.query('close rows');
    tables[table] = await fingerprint(tx, table);
  }
  yield `${JSON.stringify({ tables } satisfies Footer)}\n`;
}

async function listMigrations(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ name: string }>('select name from schema_migrations order by name');
  return rows.map(({ name }) => name);
}

/** Fills an empty store from a backup, completely or not at all. With `verify`, every table is compared with the backup. */
export async function restoreBackup(db: Db, path: string, verify: boolean): Promise<Footer> {
  return db.transaction(async (tx) => {
    await tx.query(`set local timezone = 'UTC'`);
    const tables = await listTables(tx);
    await requireEmpty(tx, tables);
    // The backup already contains the counts that triggers would write.
    for (const name of tables) await tx.query(`alter table ${quoted(name)} disable trigger user`);
    let table: string | null = null;
    let footer: Footer | null = null;
    for await (const line of createInterface({ input: createReadStream(path).pipe(createGunzip()) })) {
      const part = JSON.parse(line) as Header | { table: string } | Footer | object[];
      if (Array.isArray(part)) await insertRows(tx, String(table), line);
      else if ('format' in part) await prepareSchema(tx, part);
      else if ('table' in part) table = requireTable(tables, part.table);
      else footer = part;
    }
    if (!footer) throw new BackupError('The backup is incomplete: its end is missing');
    for (const name of tables) await tx.query(`alter table ${quoted(name)} enable trigger user`);
    await advanceSequences(tx);
    if (verify) await compareTables(tx, footer);
    return footer;
  });
}

async function requireEmpty(tx: Queryable, tables: string[]): Promise<void> {
  for (const table of tables) {
    const [row] = await tx.query(`select 1 from ${quoted(table)} limit 1`);
    if (row) throw new BackupError(`The store is not empty (${table} has rows). Restore into an empty store.`);
  }
}

async function prepareSchema(tx: Queryable, header: Header): Promise<void> {
  if (header.format !== FORMAT) {
    throw new BackupError(`The backup has format ${header.format}, but this version reads format ${FORMAT}`);
  }
  const migrations = await listMigrations(tx);
  if (migrations.join() !== header.migrations.join()) {
    throw new BackupError(
      `The backup has the schema of ${header.migrations.at(-1)}, this service has that of ${migrations.at(-1)}. ` +
        'Restore it with the version that wrote it, then upgrade.',
    );
  }
  for (const month of header.click_months) await tx.query('select make_click_partition($1)', [`${month}-01T00:00:00Z`]);
}

function requireTable(tables: string[], table: string): string {
  if (!tables.includes(table)) throw new BackupError(`The backup contains an unknown table: ${table}`);
  return table;
}

async function insertRows(tx: Queryable, table: string, rows: string): Promise<void> {
  const name = quoted(table);
  const columns = (await listColumns(tx, table)).map(quoted).join(', ');
  await tx.query(
    `insert into ${name} (${columns}) overriding system value
     select ${columns} from json_populate_recordset(null::${name}, $1::json)`,
    [rows],
  );
}

/** Moves every sequence past the restored rows, so that new rows get new ids. */
async function advanceSequences(tx: Queryable): Promise<void> {
  const sequences = await tx.query<{ sequence: string; table: string; column: string }>(
    `select s.oid::regclass::text as sequence, t.relname as table, a.attname as column
     from pg_class s
     join pg_depend d on d.objid = s.oid and d.deptype in ('a', 'i')
     join pg_class t on t.oid = d.refobjid
     join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
     where s.relkind = 'S' and s.relnamespace = 'public'::regnamespace
     union all select 'click_ids', 'clicks', 'id'`,
  );
  for (const { sequence, table, column } of sequences) {
    await tx.query(`select setval('${sequence}', greatest((select max(${quoted(column)}) from ${quoted(table)}), 1))`);
  }
}

async function compareTables(tx: Queryable, footer: Footer): Promise<void> {
  for (const [table, expected] of Object.entries(footer.tables)) {
    const found = await fingerprint(tx, table);
    if (found.rows !== expected.rows || found.sum !== expected.sum) {
      throw new BackupError(`${table} differs from the backup: ${found.rows} rows, expected ${expected.rows}`);
    }
  }
}
