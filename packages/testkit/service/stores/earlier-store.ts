import { readdir, readFile } from 'node:fs/promises';
import type { Db } from '../../../server/src/db/db.ts';
import { emptyPostgres, openDatabase } from './store.ts';

const FOLDER = new URL('../../../server/src/db/migrations/', import.meta.url);

/** The names of all migrations, in order. */
export const MIGRATIONS = (await readdir(FOLDER)).sort();

export const migrationText = (name: string) => readFile(new URL(name, FOLDER), 'utf8');

/** A store of a release from before a migration such as `0006`. Returns its URL as well, for further connections. */
export async function openStoreBefore(migration: string): Promise<{ db: Db; url: string }> {
  const url = await emptyPostgres();
  const db = openDatabase(url);
  await db.query('create table schema_migrations (name text primary key, applied_at timestamptz not null)');
  for (const name of MIGRATIONS.filter((each) => each < migration)) {
    await db.query(await migrationText(name));
    await db.query('insert into schema_migrations values ($1, now())', [name]);
  }
  return { db, url };
}
