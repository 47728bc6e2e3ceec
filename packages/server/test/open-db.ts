import { afterAll, beforeAll } from 'vitest';
import type { Db } from '../src/db/db.ts';
import { openEmbedded } from '../src/db/embedded.ts';
import { openPostgres } from '../src/db/postgres.ts';
import { emptyStore } from './store.ts';

/** An empty store without a schema, of the kind this test run is about. */
export async function openEmptyDb(): Promise<Db> {
  const { DATABASE_URL, SVC_DATA_DIR = '' } = await emptyStore();
  return DATABASE_URL ? openPostgres(DATABASE_URL, () => undefined) : openEmbedded(SVC_DATA_DIR);
}

/** An empty store for the tests of a file. */
export function useEmptyDb(): { current: Db } {
  const holder = {} as { current: Db };
  beforeAll(async () => {
    holder.current = await openEmptyDb();
  });
  afterAll(() => holder.current?.close());
  return holder;
}
