// Makes an empty embedded store once, so that every new one starts from a copy: making one anew takes seven times as long.
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';

const DIST = new URL('./dist/', import.meta.url);
const STORE = new URL('empty-store.tar.gz', DIST);
const MADE_BY = new URL('empty-store.version', DIST);

const entry = fileURLToPath(import.meta.resolve('@electric-sql/pglite'));
const { version } = JSON.parse(await readFile(entry.replace(/dist[\\/].*$/, 'package.json'), 'utf8'));

if (!existsSync(STORE) || (await readFile(MADE_BY, 'utf8').catch(() => '')) !== version) {
  const store = await PGlite.create('memory://');
  const dump = await store.dumpDataDir('gzip');
  await store.close();
  await mkdir(DIST, { recursive: true });
  // Taken into place whole: another process may be looking for it.
  const unfinished = new URL(`empty-store.${process.pid}`, DIST);
  await writeFile(unfinished, new Uint8Array(await dump.arrayBuffer()));
  await rename(unfinished, STORE);
  await writeFile(MADE_BY, version);
}
