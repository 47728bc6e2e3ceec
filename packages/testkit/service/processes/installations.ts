import { join } from 'node:path';
import type { Db } from '../../../server/src/db/db.ts';
import { openEmbedded } from '../../../server/src/db/engines/embedded.ts';
import { openPostgres } from '../../../server/src/db/engines/postgres.ts';
import { newPostgres } from '../stores/store.ts';
import { SECRET, temporaryFolder } from './processes.ts';

/** The environment of a process, and access to its store (for the embedded store, only while no process is running). */
export type Installation = { env: Record<string, string>; open: () => Promise<Db> };

const shared = { SVC_SECRET: SECRET, SVC_RATE_LIMITS: 'click=100000000,lead=100000000' };

/** Both kinds of store; each call creates a new installation. */
export const installations: [string, () => Promise<Installation>][] = [
  [
    'the embedded store',
    async () => {
      const dataDir = join(await temporaryFolder(), 'data');
      return { env: { ...shared, SVC_DATA_DIR: dataDir }, open: () => openEmbedded(join(dataDir, 'postgres')) };
    },
  ],
  [
    'a Postgres server',
    async () => {
      const url = await newPostgres();
      return { env: { ...shared, DATABASE_URL: url }, open: async () => openPostgres(url) };
    },
  ],
];

/** Opens the store, reads or changes it, and closes it. */
export async function onStore<Result>({ open }: Installation, work: (db: Db) => Promise<Result>): Promise<Result> {
  const db = await open();
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}
