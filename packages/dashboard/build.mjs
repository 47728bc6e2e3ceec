// Builds the web application, compresses its files, and fails when the first page exceeds its size limit.
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build, createServer } from 'vite';

const MAX_FIRST_PAGE_BYTES = 140_000;
const MAX_FONT_BYTES = 32_000;
/** The files that pages share, as `CHUNKS` in vite.config.mjs says. Every other file is a page or something loaded on demand. */
const SHARED_FILES = [
  'base',
  'commissions',
  'creatives',
  'earnings',
  'libraries',
  'links',
  'partners',
  'payouts',
  'portal',
  'qr',
  'reports',
  'rolldown-runtime',
  'settings',
  'setup',
  'sign-in',
  'snippets',
  'ui',
];
const SMALLEST = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

const folder = fileURLToPath(new URL('.', import.meta.url));

export async function buildDashboard() {
  // Tests set another value; what they check must be what is shipped.
  process.env.NODE_ENV = 'production';
  // Built beside and renamed, so that a server or a test never reads an unfinished build.
  const beside = join(folder, `dist.${process.pid}.tmp`);
  const result = await build({
    configFile: join(folder, 'vite.config.mjs'),
    logLevel: 'warn',
    build: { outDir: beside, emptyOutDir: true },
  });
  const [{ output } = { output: [] }] = /** @type {import('vite').Rolldown.RolldownOutput[]} */ ([result].flat());
  refuseUndecided(output);
  const sizes = await compressAll(join(beside, 'assets'));
  await rm(join(folder, 'dist'), { recursive: true, force: true });
  await rename(beside, join(folder, 'dist'));
  const allBytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  return { firstPageBytes: firstPageBytes(output, sizes), fontBytes: fontBytes(sizes), allBytes };
}

/** Builds the page of all components, which is not part of the application, into a folder. */
export async function buildComponents(/** @type {string} */ outDir) {
  process.env.NODE_ENV = 'production';
  await build({
    configFile: join(folder, 'vite.config.mjs'),
    logLevel: 'warn',
    build: { outDir, emptyOutDir: true, rolldownOptions: { input: join(folder, 'components/index.html') } },
  });
}

/** How many files a page loads must not depend on what the bundler splits off by itself. */
function refuseUndecided(/** @type {import('vite').Rolldown.OutputBundle[string][]} */ output) {
  for (const part of output) {
    if (part.type !== 'chunk' || part.isEntry || part.isDynamicEntry || SHARED_FILES.includes(part.name)) continue;
    throw new Error(
      `The build split off "${part.name}" (${part.moduleIds.join(', ')}). Add it to CHUNKS in vite.config.mjs and to SHARED_FILES in build.mjs.`,
    );
  }
}

/** Serves the application from its sources, with changes applied in the browser. Returns how to stop. */
export async function serveDashboard(/** @type {number} */ port) {
  const server = await createServer({
    configFile: join(folder, 'vite.config.mjs'),
    logLevel: 'warn',
    clearScreen: false,
    server: { port, strictPort: true },
  });
  await server.listen();
  return { stop: () => server.close() };
}

/** Writes `.br` and `.gz` beside every file but fonts, which are compressed already. Returns the smallest sizes by name. */
async function compressAll(/** @type {string} */ assets) {
  const sizes = new Map();
  for (const name of await readdir(assets)) {
    const body = await readFile(join(assets, name));
    if (name.endsWith('.woff2')) {
      sizes.set(`assets/${name}`, body.length);
      continue;
    }
    const smallest = brotliCompressSync(body, SMALLEST);
    await writeFile(join(assets, `${name}.br`), smallest);
    await writeFile(join(assets, `${name}.gz`), gzipSync(body, { level: 9 }));
    sizes.set(`assets/${name}`, smallest.length);
  }
  return sizes;
}

/** What a browser loads before sign-in: the entry, what it imports, the sign-in page, and the styles. */
function firstPageBytes(
  /** @type {import('vite').Rolldown.OutputBundle[string][]} */ output,
  /** @type {Map<string, number>} */ sizes,
) {
  const chunks = new Map(output.flatMap((part) => (part.type === 'chunk' ? [[part.fileName, part]] : [])));
  const wanted = new Set(output.flatMap((part) => (part.fileName.endsWith('.css') ? [part.fileName] : [])));
  const add = (/** @type {string} */ fileName) => {
    if (wanted.has(fileName)) return;
    wanted.add(fileName);
    for (const imported of chunks.get(fileName)?.imports ?? []) add(imported);
  };
  for (const { fileName, isEntry, facadeModuleId } of chunks.values()) {
    if (isEntry || facadeModuleId?.endsWith('/sign-in-page.tsx')) add(fileName);
  }
  return [...wanted].reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0);
}

/** The font that every page loads. */
function fontBytes(/** @type {Map<string, number>} */ sizes) {
  return [...sizes].find(([name]) => /geist-latin-wght-normal.*\.woff2$/.test(name))?.[1] ?? 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { firstPageBytes, fontBytes, allBytes } = await buildDashboard();
  console.error(
    `Dashboard: the sign-in page loads ${firstPageBytes} bytes compressed of ${MAX_FIRST_PAGE_BYTES} allowed, and a font of ${fontBytes} (${allBytes} in all).`,
  );
  if (firstPageBytes > MAX_FIRST_PAGE_BYTES || fontBytes > MAX_FONT_BYTES) process.exit(1);
}
