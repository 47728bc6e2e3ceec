// Bundles the service into dist/bin. Node then reads a few files instead of finding and linking 1,600 modules, which took
// most of the time to start.
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';

const HOUR_MS = 3_600_000;
/** Lists the files of the builds that are kept. */
const LIST = 'builds.json';

const folder = fileURLToPath(new URL('.', import.meta.url));
// Modules look for migrations and the empty store relative to themselves, so bundles lie as deep as compiled modules.
const bin = join(folder, 'dist/bin');

/** @type {import('esbuild').BuildOptions} */
const bundle = {
  entryPoints: {
    'svc-server': join(folder, 'src/main.ts'),
    'embedded-worker': join(folder, 'src/db/engines/embedded/embedded-worker.js'),
  },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  conditions: ['source'],
  // The first looks for files beside its own modules; pg-native is optional and not installed.
  external: ['@electric-sql/pglite', 'pg-native'],
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
    await put(file.path, file.contents);
  }
  await removeOutdated(
    bin,
    outputFiles.map(({ path }) => basename(path)),
  );
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

/**
 * Removes the files of earlier builds. Those of the build before stay, because a service may still run from it, however old it
 * is, and have a chunk to load. So do those of the last hour, for tests that run while others build.
 *
 * @param {string} folder
 * @param {string[]} current the files of this build
 */
export async function removeOutdated(folder, current) {
  const list = join(folder, LIST);
  const found = (await readdir(folder)).filter((name) => name !== LIST);
  /** @type {string[][]} the files of this build and of the one before */
  const [last = found, before = []] = await readFile(list, 'utf8').then(JSON.parse, () => []);
  const kept = isSame(last, current) ? [last, before] : [current, last];
  await put(list, JSON.stringify(kept));
  const names = new Set(kept.flat());
  for (const path of found.filter((name) => !names.has(name)).map((name) => join(folder, name))) {
    // Another build may have removed it meanwhile.
    const written = await stat(path).catch(() => null);
    if (written && Date.now() - written.mtimeMs > HOUR_MS) await rm(path, { force: true });
  }
}

const isSame = (/** @type {string[]} */ a, /** @type {string[]} */ b) => a.toSorted().join() === b.toSorted().join();

/** Renamed into place whole: a service may be starting. */
async function put(/** @type {string} */ path, /** @type {string | Uint8Array} */ contents) {
  const unfinished = `${path}.${process.pid}.tmp`;
  await writeFile(unfinished, contents);
  await rename(unfinished, path);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.error(`Service: ${Math.ceil((await buildService()) / 1024)} KiB.`);
}
