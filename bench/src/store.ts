import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '@svc/server/context';
import type { Db } from '@svc/server/db/db';
import { openStore } from '@svc/server/db/engines/open-store';
import { type PostgresServer, startPostgres } from '@svc/testkit';
import type { StoreKind } from './options.ts';
import type { Environment } from './processes.ts';

/** A store for one run: the environment for the service, and access to it while no service uses it. */
export type BenchStore = {
  kind: StoreKind;
  env: Environment;
  /** The server of a real Postgres. */
  server: PostgresServer | undefined;
  version: string;
  withDb<Result>(work: (db: Db) => Promise<Result>): Promise<Result>;
  remove(): Promise<void>;
};

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** A real Postgres with its default settings (durable), or the embedded one in a folder inside `parent`. */
export async function createStore(kind: StoreKind, parent = tmpdir()): Promise<BenchStore> {
  const dataDir = await mkdtemp(join(parent, 'svc-bench-'));
  const server = kind === 'postgres' ? await startPostgres() : undefined;
  const databaseUrl = await server?.createDatabase('bench');
  const withDb: BenchStore['withDb'] = async (work) => {
    const db = await openStore({ databaseUrl, dataDir }, silentLog);
    return work(db.untimed).finally(() => db.close());
  };
  return {
    kind,
    env: {
      SVC_DATA_DIR: dataDir,
      SVC_SECRET: 'a secret for the benchmark, long enough to pass',
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    },
    server,
    version: await withDb(versionOf),
    withDb,
    async remove() {
      await server?.remove();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function versionOf(db: Db): Promise<string> {
  const [row] = await db.query<{ version: string }>(`select current_setting('server_version') as version`, []);
  return row?.version ?? 'unknown';
}
