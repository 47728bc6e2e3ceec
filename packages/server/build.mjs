// Bundles the service into dist/bin. Node then reads a few files instead of finding, reading and linking 1,600 modules,
// which is most of the time that a start takes.
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ENTRY = 'svc-server';
const DAY_MS = 86_400_000;

const folder = fileURLToPath(new URL('.', import.meta.url));
// As deep in the package as the compiled modules that look for files beside it: migrations and the empty store.
const bin = join(folder, 'dist/bin');

/** Writes the bundle. A running service and an interrupted build leave a bundle that works. */
export async function buildService() {
  const { outputFiles } = await build({
    entryPoints: { [ENTRY]: join(folder, 'src/main.ts'), 'embedded-worker': join(folder, 'src/db/embedded-worker.js') },
    outdir: bin,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    conditions: ['source'],
    // These find files of their own beside their modules; pg-native is optional and not installed.
    external: ['@electric-sql/pglite', '@svc/cli', 'pg-native'],
    // Some of what is bundled still calls require.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module';const require = makeRequire(import.meta.url);",
    },
    write: false,
  });
  await mkdir(bin, { recursive: true });
  // The names of the chunks contain a hash of their content, so the entries are written when all they name is there.
  const isEntry = (/** @type {{ path: string }} */ { path }) => !/-[A-Z0-9]{8}\.js$/.test(path);
  for (const file of outputFiles.toSorted((a, b) => Number(isEntry(a)) - Number(isEntry(b)))) {
    const unfinished = `${file.path}.${process.pid}.tmp`;
    await writeFile(unfinished, file.contents);
    await rename(unfinished, file.path);
  }
  await removeOld(new Set(outputFiles.map(({ path }) => basename(path))));
  return outputFiles.reduce((sum, { contents }) => sum + contents.length, 0);
}

/** Removes what earlier builds left. A service that still runs from them may have a chunk to load, hence the delay. */
async function removeOld(/** @type {Set<string>} */ current) {
  for (const name of await readdir(bin)) {
    const path = join(bin, name);
    if (!current.has(name) && Date.now() - (await stat(path)).mtimeMs > DAY_MS) await rm(path, { force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.error(`Service: ${Math.ceil((await buildService()) / 1024)} KiB.`);
}
