import { afterAll, beforeAll } from 'vitest';
import type { Db } from '../../../server/src/db/db.ts';
import { openEmbedded } from '../../../server/src/db/engines/embedded.ts';
import { takeStore } from './spare-stores.ts';
import { emptyPostgres, newPostgres, openDatabase } from './store.ts';

/** A store with the schema and no data, of the kind that this test run uses. On Postgres its connections are new, too. */
export async function openNewDb(): Promise<Db> {
  if (process.env.SVC_TEST_STORE === 'postgres') return openDatabase(await newPostgres());
  return (await takeStore()).db;
}

/** A new store without a schema, for tests of migrations. */
export async function openEmptyDb(): Promise<Db> {
  if (process.env.SVC_TEST_STORE !== 'postgres') return openEmbedded('memory://', { template: null });
  return openDatabase(await emptyPostgres());
}

/** A store for the tests of a file, opened by `open` and closed after them. */
export function useDb(open: () => Promise<Db>): { current: Db } {
  const holder = {} as { current: Db };
  beforeAll(async () => {
    holder.current = await open();
  });
  afterAll(() => holder.current?.close());
  return holder;
}
