import { join } from 'node:path';
import type { Log } from '../context.ts';
import { type Db, DbError } from './db.ts';
import { openEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';
import { makePrivate } from './private-folder.ts';

export type StoreOptions = { databaseUrl: string | undefined; dataDir: string };

/** Opens the configured store with its schema up to date. */
export async function openStore({ databaseUrl, dataDir }: StoreOptions, log: Log): Promise<Db> {
  const db = databaseUrl ? await connectTo(databaseUrl, log) : await openEmbeddedIn(dataDir);
  try {
    const applied = await migrate(db, log);
    if (applied.length > 0) log.info({ applied }, 'Migrated the schema');
    return db;
  } catch (error) {
    await db.close();
    const isUnreachable = databaseUrl && error instanceof DbError && error.sqlState === undefined;
    throw isUnreachable ? new DbError(`DATABASE_URL: the database does not answer (${error.message})`) : error;
  }
}

// The driver is loaded only where it is used.
async function connectTo(databaseUrl: string, log: Log): Promise<Db> {
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres(databaseUrl, (error) => log.warn({ err: error }, 'Lost a database connection'));
}

async function openEmbeddedIn(dataDir: string): Promise<Db> {
  if (dataDir.startsWith('memory://')) return openEmbedded(dataDir);
  makePrivate(dataDir);
  return openEmbedded(join(dataDir, 'postgres'));
}
