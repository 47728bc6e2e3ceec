import { readdir, readFile } from 'node:fs/promises';
import type { Db } from './db.ts';

// Always read from the sources: the compiler does not copy SQL.
const MIGRATIONS = new URL('../../src/db/migrations/', import.meta.url);
const LOCK = 7_283_001;

/** Brings the schema up to date. Nodes that start together wait for each other, and each migration is applied once. */
export async function migrate(db: Pick<Db, 'transaction'>): Promise<string[]> {
  const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort();
  return db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [LOCK]);
    await tx.query(
      'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null)',
    );
    const applied = new Set(
      (await tx.query<{ name: string }>('select name from schema_migrations', [])).map((row) => row.name),
    );
    const pending = files.filter((name) => !applied.has(name));
    for (const name of pending) {
      await tx.query(await readFile(new URL(name, MIGRATIONS), 'utf8'));
      await tx.query('insert into schema_migrations values ($1, now())', [name]);
    }
    return pending;
  });
}
