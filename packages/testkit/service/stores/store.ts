import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type { Db } from '../../../server/src/db/db.ts';
import { openPostgres, type PostgresOptions } from '../../../server/src/db/engines/postgres.ts';
import { addressThrough } from '../../src/index.ts';

/** The URL of a new database with the schema, on the real Postgres server of this test run. */
export const newPostgres = () => createDatabase(inject('postgresTemplate'));

/** The URL of a new database without a schema, for tests of migrations. */
export const emptyPostgres = () => createDatabase('template1');

async function createDatabase(template: string): Promise<string> {
  const url = new URL(inject('postgresUrl'));
  const name = `test_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    // Copying files takes a third of the work of logging every page.
    await client.query(`create database ${name} template ${template} strategy file_copy`);
  } finally {
    await client.end();
  }
  url.pathname = `/${name}`;
  return url.href;
}

/** The settings for a database on the server of this test run: its address, or two where the run is about a pooler. */
export function addressOf(databaseUrl: string): { DATABASE_URL: string; SVC_LISTEN_DATABASE_URL?: string } {
  const pooler = inject('poolerUrl');
  // Lines that can be cut lead past the pooler, and so do options of a connection, which PgBouncer refuses.
  const isPlain = databaseUrl.startsWith(new URL('/', inject('postgresUrl')).href) && !databaseUrl.includes('?');
  return pooler && isPlain ? addressThrough(pooler, databaseUrl) : { DATABASE_URL: databaseUrl };
}

/** Connects to a database on the server of this test run, through the pooler where the run is about one. */
export function openDatabase(databaseUrl: string, options: PostgresOptions = {}): Db {
  const { DATABASE_URL, SVC_LISTEN_DATABASE_URL: directUrl } = addressOf(databaseUrl);
  return openPostgres(DATABASE_URL, { ...options, ...(directUrl && { pooler: { directUrl, keepsPrepared: false } }) });
}

/**
 * The same for tests that do not ask how the database is reached: through its socket, unless the run is about a pooler. Connections
 * stay open: each new one would plan all statements again.
 */
export function openByShortestWay(databaseUrl: string): Db {
  const { pathname } = new URL(databaseUrl);
  const address = inject('poolerUrl') ? databaseUrl : inject('postgresSocketUrl').replace(/\/[^/]*$/, pathname);
  return openDatabase(address, { idleMs: 0 });
}
