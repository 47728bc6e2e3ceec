// Bundles the service into dist/bin. Node then reads a few files instead of finding and linking 1,600 modules, which took
// most of the time to start.
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';

const DAY_MS = 86_400_000;

const folder = fileURLToPath(new URL('.', import.meta.url));
// Modules look for migrations and the empty store relative to themselves, so bundles lie as deep as compiled modules.
const bin = join(folder, 'dist/bin');

/** @type {import('esbuild').BuildOptions} */
const bundle = {
  entryPoints: {
    'svc-server': join(folder, 'src/main.ts'),
    'embedded-worker': join(folder, 'src/db/embedded/embedded-worker.js'),
  },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  conditions: ['source'],
  // The first two look for files beside their own modules; pg-native is optional and not installed.
  external: ['@electric-sql/pglite', '@svc/cli', 'pg-native'],
  // Some of what is bundled still calls require.
  banner: {
    js: "import { createRequire as makeRequire } from 'node:module';const require = makeRequire(import.meta.url);",
  },
};

/** Writes the bundle. Interrupting it leaves a bundle that works, and so does a service that runs meanwhile. */
export async function buildService() {
  const { outputFiles = [] } = await build({ ...bundle, outdir: bin, splitting: true, write: false });
  await mkdir(bin, { recursive: true });
  // The names of chunks contain a hash, so they can be written beside older ones. The entries, which name them, come last.
  const isEntry = (/** @type {{ path: string }} */ { path }) => !/-[A-Z0-9]{8}\.js$/.test(path);
  for (const file of outputFiles.toSorted((a, b) => Number(isEntry(a)) - Number(isEntry(b)))) {
    const unfinished = `${file.path}.${process.pid}.tmp`;
    await writeFile(unfinished, file.contents);
    await rename(unfinished, file.path);
  }
  await removeOld(new Set(outputFiles.map(({ path }) => basename(path))));
  return outputFiles.reduce((sum, { contents }) => sum + contents.length, 0);
}

/** Bundles into dist/dev, and again after every change. Returns the path of the bundle and how to stop. */
export async function watchService() {
  const outdir = join(folder, 'dist/dev');
  const watcher = await context({ ...bundle, outdir, sourcemap: true, logLevel: 'warning' });
  await watcher.rebuild();
  await watcher.watch();
  return { path: join(outdir, 'svc-server.js'), stop: () => watcher.dispose() };
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
