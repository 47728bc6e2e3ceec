import { join } from 'node:path';
import type { Log } from '../../context.ts';
import { type Db, DbError, type Trouble } from '../db.ts';
import { migrate } from '../migrate.ts';
import { openEmbedded } from './embedded.ts';
import { makePrivate } from './private-folder.ts';
import { isReadOnlyError, READ_ONLY } from './read-only.ts';

export type StoreOptions = {
  databaseUrl: string | undefined;
  dataDir: string;
  /** Whether the embedded store flushes commits to the disk before they are answered. */
  embeddedSync?: boolean;
};

/** Opens the configured store with its schema up to date. */
export async function openStore(options: StoreOptions, log: Log): Promise<Db> {
  const { databaseUrl } = options;
  const db = databaseUrl ? await connectTo(databaseUrl, log) : await openEmbeddedIn(options, log);
  try {
    const applied = await migrate(db, log);
    if (applied.length > 0) log.info({ applied }, 'Migrated the schema');
    return db;
  } catch (error) {
    await db.close();
    throw databaseUrl ? toStartError(error) : error;
  }
}

function toStartError(error: unknown): unknown {
  if (isReadOnlyError(error)) return new DbError(`DATABASE_URL: ${READ_ONLY}`);
  const isUnreachable = error instanceof DbError && error.sqlState === undefined;
  return isUnreachable ? new DbError(`DATABASE_URL: the database does not answer (${error.message})`) : error;
}

// The driver is loaded only where it is used.
async function connectTo(databaseUrl: string, log: Log): Promise<Db> {
  const { openPostgres } = await import('./postgres.ts');
  let hasWorked = false;
  const db = openPostgres(databaseUrl, {
    onConnectionLost: (error) => log.warn({ err: error }, 'Lost a database connection'),
    onTrouble: (trouble) => hasWorked && logTrouble(log, trouble, 'The database server'),
  });
  // A start that fails says why by itself.
  await db.untimed.query('select 1', []).catch(async (error) => {
    await db.close();
    throw toStartError(error);
  });
  hasWorked = true;
  return db;
}

async function openEmbeddedIn({ dataDir, embeddedSync }: StoreOptions, log: Log): Promise<Db> {
  const options = {
    isSynced: embeddedSync,
    onTrouble: (trouble: Trouble | null) => logTrouble(log, trouble, 'The embedded store'),
  };
  if (dataDir.startsWith('memory://')) return openEmbedded(dataDir, options);
  makePrivate(dataDir);
  return openEmbedded(join(dataDir, 'postgres'), options);
}

/** One line when the store gets into trouble and one when it is over, however many statements fail in between. */
function logTrouble(log: Log, trouble: Trouble | null, store: string): void {
  if (trouble) log.error({ cause: trouble.cause }, trouble.message);
  else log.info({}, `${store} works again`);
}
