import type { TestProject } from 'vitest/node';
import { openPostgres } from '../../../server/src/db/engines/postgres.ts';
import { migrate } from '../../../server/src/db/migrate.ts';
// Imported by path, because global setups do not have the export conditions with which tests find sources.
import { findPgBouncer, type PgBouncer, startPgBouncer, startPostgres } from '../../src/index.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
    /** The default database of the same server through its socket. */
    postgresSocketUrl: string;
    /** The same server through PgBouncer in transaction mode, where the test run asks for it; otherwise empty. */
    poolerUrl: string;
    /** The name of a database with the schema and no data. */
    postgresTemplate: string;
    /** The URL of a database for the service that the tests of `svc` share. */
    serviceDatabase: string;
  }
}

const TEMPLATE = 'migrated';

/**
 * Its data goes away with the run. Autovacuum would visit hundreds of databases every minute, each gone a moment later. A statement
 * is planned once for each connection, not for each of its first values: planning takes longer than reading a few rows.
 */
const SETTINGS = {
  max_connections: '300',
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
  plan_cache_mode: 'force_generic_plan',
};

/** One real Postgres server for all test files, with a migrated database that each of them copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres(SETTINGS);
  const template = openPostgres(await server.createDatabase(TEMPLATE));
  await migrate(template).finally(() => template.close());
  const db = openPostgres(server.url());
  await db.query(`create database service template ${TEMPLATE}`).finally(() => db.close());
  const pooler = project.config.env.SVC_TEST_POOLER ? await startPooler(server.url()) : undefined;
  project.provide('postgresUrl', server.url());
  project.provide('postgresSocketUrl', server.socketUrl('postgres'));
  project.provide('poolerUrl', pooler?.url ?? '');
  project.provide('postgresTemplate', TEMPLATE);
  project.provide('serviceDatabase', server.url('service'));
  return async () => {
    await pooler?.remove();
    await server.remove();
  };
}

function startPooler(url: string): Promise<PgBouncer> {
  if (!findPgBouncer()) throw new Error('pgbouncer is not installed');
  return startPgBouncer(url);
}
