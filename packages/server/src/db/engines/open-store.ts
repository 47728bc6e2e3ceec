import { join } from 'node:path';
import type { Log } from '../../context.ts';
import { type Db, DbError, type Trouble } from '../db.ts';
import { migrate } from '../migrate.ts';
import { type ReportReader, withoutReplica } from '../report-reader.ts';
import { openEmbedded } from './embedded.ts';
import type { Pooler } from './postgres.ts';
import { makePrivate } from './private-folder.ts';
import { isReadOnlyError, READ_ONLY } from './read-only.ts';

const REPORT_CONNECTIONS = 5;

export type StoreOptions = {
  databaseUrl: string | undefined;
  /** Set if that address leads to a pooler in transaction mode. */
  pooler?: Pooler | undefined;
  /** A streaming standby that reports are read from. */
  reportsDatabaseUrl?: string | undefined;
  dataDir: string;
  /** Whether the embedded store flushes commits to the disk before they are answered. */
  embeddedSync?: boolean;
};

/** Opens what reports are read from: the configured replica, or the store itself. */
export async function openReportReader(
  db: Db,
  { reportsDatabaseUrl, pooler }: Pick<StoreOptions, 'reportsDatabaseUrl' | 'pooler'>,
  log: Log,
): Promise<ReportReader> {
  if (!reportsDatabaseUrl) return withoutReplica(db);
  const [{ openPostgres }, { openReplica }] = await Promise.all([
    import('./postgres.ts'),
    import('./postgres/replica.ts'),
  ]);
  // Where there is a pooler, one may be in front of the replica too.
  const replica = openPostgres(reportsDatabaseUrl, { isReplica: true, maxConnections: REPORT_CONNECTIONS, pooler });
  return openReplica({ primary: db, replica, log });
}

/** The address of a server, and the variable that has it. */
type Address = { url: string; variable: keyof typeof WHY_NOT_A_POOLER };

const IS_POOLER = 'leads to a connection pooler in transaction mode.';
const WHY_NOT_A_POOLER = {
  DATABASE_URL: `${IS_POOLER} Set SVC_LISTEN_DATABASE_URL to the address of the database server itself, and keep this one.`,
  SVC_LISTEN_DATABASE_URL: `${IS_POOLER} It must be the address of the database server itself.`,
};

/** Opens the configured store with its schema up to date. Migrations are not sent through a pooler. */
export async function openStore(options: StoreOptions, log: Log): Promise<Db> {
  const { databaseUrl, pooler } = options;
  if (!databaseUrl) return migrated(await openEmbeddedIn(options, log), log);
  if (!pooler) return connectDirectly({ url: databaseUrl, variable: 'DATABASE_URL' }, log);
  const direct = await connectDirectly({ url: pooler.directUrl, variable: 'SVC_LISTEN_DATABASE_URL' }, log);
  await direct.close();
  return connectTo({ url: databaseUrl, variable: 'DATABASE_URL' }, log, pooler);
}

/** Opens the configured store for work that takes long: a pooler is passed by. */
export function openStoreDirectly({ pooler, databaseUrl, ...options }: StoreOptions, log: Log): Promise<Db> {
  if (pooler) return connectDirectly({ url: pooler.directUrl, variable: 'SVC_LISTEN_DATABASE_URL' }, log);
  return openStore({ ...options, databaseUrl }, log);
}

async function connectDirectly(address: Address, log: Log): Promise<Db> {
  const { isTransactionPooler } = await import('./postgres/recognize-pooler.ts');
  const { url, variable } = address;
  if (await isTransactionPooler(url)) throw new DbError(`${variable}: ${WHY_NOT_A_POOLER[variable]}`);
  return migrated(await connectTo(address, log), log).catch((error) => {
    throw toStartError(error, address);
  });
}

async function migrated(db: Db, log: Log): Promise<Db> {
  try {
    const applied = await migrate(db, log);
    if (applied.length > 0) log.info({ applied }, 'Migrated the schema');
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

function toStartError(error: unknown, { variable }: Address): unknown {
  if (isReadOnlyError(error)) return new DbError(`${variable}: ${READ_ONLY}`);
  const isUnreachable = error instanceof DbError && error.sqlState === undefined;
  return isUnreachable ? new DbError(`${variable}: the database does not answer (${error.message})`) : error;
}

// The driver is loaded only where it is used.
async function connectTo(address: Address, log: Log, pooler?: Pooler): Promise<Db> {
  const { openPostgres } = await import('./postgres.ts');
  let hasWorked = false;
  const db = openPostgres(address.url, {
    onConnectionLost: (error) => log.warn({ err: error }, 'Lost a database connection'),
    onTrouble: (trouble) => hasWorked && logTrouble(log, trouble, 'The database server'),
    pooler,
  });
  // A start that fails says why by itself.
  await db.untimed.query('select 1', []).catch(async (error) => {
    await db.close();
    throw toStartError(error, address);
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
