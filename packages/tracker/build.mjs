// Builds the classic scripts and the CommonJS half of the package from the same source, prints the size of the scripts, and
// fails when one exceeds its limit.
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { buildCommonJs, put } from '../../scripts/commonjs.mjs';

const DIST = new URL('dist/', import.meta.url);
const MAX_GZIP_BYTES = 1600;
/** What the variant for Stripe may add. */
const MAX_EXTRA_BYTES = 400;

/** The scripts by their entry. */
const SCRIPTS = {
  script: { file: 'svc-tracker.js', maxGzipBytes: MAX_GZIP_BYTES },
  'script-stripe': { file: 'svc-tracker-stripe.js', maxGzipBytes: MAX_GZIP_BYTES + MAX_EXTRA_BYTES },
};

async function buildScript(/** @type {string} */ entry, /** @type {string} */ file) {
  const bundle = await rolldown({
    input: fileURLToPath(new URL(`src/${entry}.ts`, import.meta.url)),
    // The package has no side effects, but its scripts are nothing else.
    treeshake: { moduleSideEffects: () => true },
    transform: { target: 'es2021' },
  });
  const { output } = await bundle.generate({ format: 'esm', minify: { mangle: { toplevel: true } } });
  const [{ code }] = output;
  if (/\bvar |\bfunction\b/.test(code)) throw new Error(`${entry}: var and function would become globals of the page`);
  // A block keeps `let` to itself like a function would, and one keyword compresses better than two.
  const script = Buffer.from(`{${code.trim().replaceAll('const ', 'let ')}}\n`);
  await put(new URL(file, DIST), script);
  return { bytes: script.length, gzipBytes: gzipSync(script, { level: 9 }).length };
}

await buildCommonJs(DIST, /^(svc-tracker|script)/);
for (const [entry, { file, maxGzipBytes }] of Object.entries(SCRIPTS)) {
  const { bytes, gzipBytes } = await buildScript(entry, file);
  console.error(`${file}: ${gzipBytes} bytes gzipped of ${maxGzipBytes} allowed (${bytes} minified).`);
  if (gzipBytes > maxGzipBytes) process.exitCode = 1;
}
