import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchStore, silentLog } from '@svc/bench/store';
import { openStore } from '@svc/server/db/engines/open-store';

const LIMIT_MS = 90_000;

/** The store of a run on servers that are there already. */
export async function storeAt(databaseUrl: string, remove: () => Promise<void>): Promise<BenchStore> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-failover-'));
  return {
    kind: 'postgres',
    env: { SVC_DATA_DIR: dataDir, DATABASE_URL: databaseUrl },
    server: undefined,
    version: '',
    async withDb(work) {
      const db = await openStore({ databaseUrl, dataDir }, silentLog);
      return work(db.untimed).finally(() => db.close());
    },
    async remove() {
      await remove();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Asks again and again. A question that fails is one that is not true yet. */
export async function untilTrue(ask: () => Promise<boolean>, problem: string): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (!(await ask().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`${problem} after ${LIMIT_MS / 1000} seconds`);
    await sleep(20);
  }
}
