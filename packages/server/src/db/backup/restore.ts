import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import { type Db, DbError, type Queryable } from '../db.ts';
import { fingerprint, listColumns, listTables, quoted } from '../schema/tables.ts';
import {
  BACKUP_FORMAT,
  BackupError,
  type BackupFooter,
  type BackupHeader,
  listMigrations,
  type OnProgress,
} from './backup.ts';

type RestoreOptions = {
  /** Whether every table is compared with the checksums in the backup. */
  verify?: boolean;
  onProgress?: OnProgress;
  /** What else has to be done in a store that goes on from an earlier time. */
  afterwards?: (tx: Queryable) => Promise<void>;
};

/** Fills an empty store from a backup, completely or not at all. A file that is not as it was written is refused. */
export async function restoreBackup(db: Db, path: string, options: RestoreOptions = {}): Promise<BackupFooter> {
  const { verify = true, onProgress = () => {}, afterwards = async () => {} } = options;
  try {
    const { size } = await stat(path);
    await requireWhole({ path, size }, onProgress);
    return await db.transaction(async (tx) => {
      await tx.query(`set local timezone = 'UTC'`);
      const tables = await listTables(tx);
      await requireEmpty(tx, tables);
      // The backup already contains the counts that triggers would write.
      for (const name of tables) await tx.query(`alter table ${quoted(name)} disable trigger user`);
      const footer = await fillTables(tx, { path, size }, tables, onProgress);
      for (const name of tables) await tx.query(`alter table ${quoted(name)} enable trigger user`);
      await advanceSequences(tx);
      if (verify) await compareTables(tx, tables, footer, onProgress);
      await afterwards(tx);
      return footer;
    });
  } catch (error) {
    throw error instanceof BackupError ? error : new BackupError(describeFault(path, error), { cause: error });
  }
}

type BackupFile = { path: string; size: number };

/** Reads to the end, where the checksum of the compressed data is: until then, a damaged line may look like any other. */
async function requireWhole(file: BackupFile, onProgress: OnProgress): Promise<void> {
  for await (const { percent } of chunksOf(file)) onProgress('checking the file', { percent });
}

async function fillTables(
  tx: Queryable,
  file: BackupFile,
  tables: string[],
  onProgress: OnProgress,
): Promise<BackupFooter> {
  let table: string | null = null;
  let footer: BackupFooter | null = null;
  for await (const { line, number, percent } of linesOf(file)) {
    const part = partOf(line, number);
    if (number === 1 ? !('format' in part) : 'format' in part) throw new BackupError(`${file.path} is not a backup.`);
    if (Array.isArray(part)) await insertRows(tx, String(table), line);
    else if ('format' in part) await prepareSchema(tx, part);
    else if ('table' in part) table = requireTable(tables, part.table);
    else footer = part;
    if (table) onProgress(table, { percent });
  }
  if (!footer) throw new BackupError('The backup is incomplete: its end is missing.');
  return footer;
}

type Part = BackupHeader | { table: string } | BackupFooter | object[];

function partOf(line: string, number: number): Part {
  try {
    return Object(JSON.parse(line)) as Part;
  } catch {
    throw new BackupError(`The backup is damaged: line ${number} cannot be read.`);
  }
}

type Line = { line: string; number: number; percent: number };

async function* chunksOf({ path, size }: BackupFile): AsyncGenerator<{ chunk: Buffer; percent: number }> {
  const file = createReadStream(path);
  const plain = createGunzip();
  file.on('error', (error) => plain.destroy(error));
  file.pipe(plain);
  for await (const chunk of plain) yield { chunk, percent: Math.floor((100 * file.bytesRead) / size) };
}

async function* linesOf(file: BackupFile): AsyncGenerator<Line> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let number = 0;
  for await (const { chunk, percent } of chunksOf(file)) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      number += 1;
      yield { line, number, percent };
    }
  }
  if (rest !== '') yield { line: rest, number: number + 1, percent: 100 };
}

/** What is wrong with the file, as a sentence. */
function describeFault(path: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof DbError && /^2[23]/.test(error.sqlState ?? '')) {
    return `The backup was altered or is damaged: the store refuses some of its rows (${message}).`;
  }
  switch (code) {
    case 'ENOENT':
      return `There is no file ${path}.`;
    case 'EISDIR':
      return `${path} is a folder, not a backup.`;
    case 'EACCES':
    case 'EPERM':
      return `${path} cannot be read: permission denied.`;
    case 'Z_BUF_ERROR':
      return 'The backup is incomplete: its end is missing.';
    case 'Z_DATA_ERROR':
      return message === 'incorrect header check' ? `${path} is not a backup.` : `The backup is damaged (${message}).`;
    default:
      return `The backup could not be restored: ${message}.`;
  }
}

async function requireEmpty(tx: Queryable, tables: string[]): Promise<void> {
  for (const table of tables) {
    const [row] = await tx.query(`select 1 from ${quoted(table)} limit 1`);
    if (row) throw new BackupError(`The store is not empty (${table} has rows). Restore into an empty store.`);
  }
}

async function prepareSchema(tx: Queryable, header: BackupHeader): Promise<void> {
  if (header.format !== BACKUP_FORMAT) {
    throw new BackupError(`The backup has format ${header.format}, but this version reads format ${BACKUP_FORMAT}.`);
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
  if (!tables.includes(table)) throw new BackupError(`The backup contains an unknown table: ${table}.`);
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

async function compareTables(
  tx: Queryable,
  tables: string[],
  footer: BackupFooter,
  onProgress: OnProgress,
): Promise<void> {
  for (const [index, table] of tables.entries()) {
    onProgress(table, { percent: Math.floor((100 * index) / tables.length) });
    const expected = footer.tables[table];
    const found = await fingerprint(tx, table);
    if (expected && found.rows === expected.rows && found.sum === expected.sum) continue;
    throw new BackupError(`The backup was altered or is damaged: ${describeDifference(table, found.rows, expected)}.`);
  }
}

function describeDifference(table: string, rows: number, expected: BackupFooter['tables'][string] | undefined): string {
  if (!expected) return `it has no checksum for ${table}`;
  if (rows === expected.rows) return `the rows of ${table} do not match their checksum`;
  return `${table} has ${rows} rows, but ${expected.rows} were backed up`;
}
