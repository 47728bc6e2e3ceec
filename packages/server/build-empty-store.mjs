// Makes an embedded store with its schema and without data, so that every new one starts from a copy: that takes a
// tenth of the time.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { migrate } from './dist/db/migrate.js';

const DIST = new URL('./dist/', import.meta.url);
const STORE = new URL('empty-store.tar.gz', DIST);
const MADE_FROM = new URL('empty-store.made-from', DIST);
const MIGRATIONS = new URL('./src/db/migrations/', import.meta.url);

const sources = await fingerprint();
if (!existsSync(STORE) || (await readFile(MADE_FROM, 'utf8').catch(() => '')) !== sources) {
  const store = await PGlite.create('memory://');
  /** @type {Pick<import('./src/db/db.ts').Db, 'transaction' | 'kind'>} */
  const db = {
    kind: 'embedded',
    transaction: (work) =>
      store.transaction((tx) => {
        const { query } = queryableOver(tx);
        return work({ query, send: query, rollBack: () => void tx.rollback(), afterCommit() {} });
      }),
  };
  await migrate({ untimed: db });
  // Copies then start from clean pages instead of replaying the log.
  await store.exec('checkpoint');
  const dump = await store.dumpDataDir('gzip');
  await store.close();
  await mkdir(DIST, { recursive: true });
  await put(STORE, new Uint8Array(await dump.arrayBuffer()));
  await put(MADE_FROM, sources);
}

/** What the store depends on: the engine's version, every migration, and what applies them. An older copy still works; the service migrates it. */
async function fingerprint() {
  const entry = fileURLToPath(import.meta.resolve('@electric-sql/pglite'));
  const { version } = JSON.parse(await readFile(entry.replace(/dist[\\/].*$/, 'package.json'), 'utf8'));
  const hash = createHash('sha256').update(version);
  hash.update(await readFile(new URL('../migrate.ts', MIGRATIONS)));
  for (const name of (await readdir(MIGRATIONS)).sort()) {
    hash.update(`\n${name}\n`).update(await readFile(new URL(name, MIGRATIONS)));
  }
  return hash.digest('hex');
}

/**
 * @param {import('@electric-sql/pglite').Transaction} tx
 * @returns {import('./src/db/db.ts').Queryable}
 */
function queryableOver(tx) {
  return {
    query: async (sql, params) => {
      if (params) return (await tx.query(sql, params)).rows;
      return (await tx.exec(sql)).at(-1)?.rows ?? [];
    },
  };
}

/** Renamed into place whole: another process may be looking for it. */
async function put(/** @type {URL} */ target, /** @type {string | Uint8Array} */ contents) {
  const unfinished = new URL(`${target.href}.${process.pid}.tmp`);
  await writeFile(unfinished, contents);
  await rename(unfinished, target);
}
