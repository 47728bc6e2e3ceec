// Builds the classic scripts and the CommonJS half of the package from the same source, prints the size of the scripts, and
// fails when one exceeds its limit.
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { buildCommonJs, put } from '../../scripts/commonjs.mjs';
import { shrink } from './shrink.mjs';

const DIST = new URL('dist/', import.meta.url);
const MAX_GZIP_BYTES = 1600;
/** What the variants for Stripe and for programs with options of their own may add. */
const MAX_EXTRA_BYTES = 400;

/** How often a script that is too large is varied. */
const TRIES = 60_000;

/** The scripts by their entry. Those of programs get their options from the service. */
const SCRIPTS = {
  script: { file: 'svc-tracker.js', variants: 0 },
  'script-stripe': { file: 'svc-tracker-stripe.js', variants: 1 },
  'script-program': { file: 'svc-tracker-program.js', variants: 1 },
  'script-stripe-program': { file: 'svc-tracker-stripe-program.js', variants: 2 },
};

async function buildScript(
  /** @type {string} */ entry,
  /** @type {string} */ file,
  /** @type {number} */ maxGzipBytes,
) {
  const bundle = await rolldown({
    input: fileURLToPath(new URL(`src/${entry}.ts`, import.meta.url)),
    // The package has no side effects, but its scripts are nothing else.
    treeshake: { moduleSideEffects: () => true },
    transform: { target: 'es2021' },
    plugins: [WITH_ITS_PATH, ...(entry.endsWith('-program') ? [] : [WITHOUT_PROGRAM_OPTIONS])],
  });
  const { output } = await bundle.generate({ format: 'esm', minify: { mangle: { toplevel: true } } });
  const [{ code }] = output;
  if (/\bvar |\bfunction\b/.test(code)) throw new Error(`${entry}: var and function would become globals of the page`);
  const script = shrink(code.trim(), { maxGzipBytes, tries: TRIES });
  await put(new URL(file, DIST), script);
  return { bytes: script.length, gzipBytes: gzipSync(script, { level: 9 }).length };
}

const WITH_ITS_PATH = {
  name: 'with-its-path',
  transform: (/** @type {string} */ code, /** @type {string} */ id) =>
    id.endsWith('/report-path.ts') ? code.replace('TAKES_REPORT_PATH = true', 'TAKES_REPORT_PATH = false') : null,
};

const WITHOUT_PROGRAM_OPTIONS = {
  name: 'without-program-options',
  load: (/** @type {string} */ id) =>
    id.endsWith('/program-options.ts') ? 'export const TAKES_PROGRAM_OPTIONS = false;' : null,
};

await buildCommonJs(DIST, /^(svc-tracker|script|of-program)/);
for (const [entry, { file, variants }] of Object.entries(SCRIPTS)) {
  const maxGzipBytes = MAX_GZIP_BYTES + variants * MAX_EXTRA_BYTES;
  const { bytes, gzipBytes } = await buildScript(entry, file, maxGzipBytes);
  console.error(`${file}: ${gzipBytes} bytes gzipped of ${maxGzipBytes} allowed (${bytes} minified).`);
  if (gzipBytes > maxGzipBytes) process.exitCode = 1;
}
