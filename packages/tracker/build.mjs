// Builds the classic scripts and the CommonJS half of the package from the same source, prints the size of the scripts, and
// fails when one exceeds its limit.
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';
import { buildCommonJs, put } from '../../scripts/commonjs.mjs';

const DIST = new URL('dist/', import.meta.url);
const MAX_GZIP_BYTES = 1600;
/** What the variants for Stripe and for programs with options of their own may add. */
const MAX_EXTRA_BYTES = 400;

/** How many orders of its functions are tried for each script. */
const TRIES = 8000;

/** The scripts by their entry. Those of programs get their options from the service. */
const SCRIPTS = {
  script: { file: 'svc-tracker.js', variants: 0 },
  'script-stripe': { file: 'svc-tracker-stripe.js', variants: 1 },
  'script-program': { file: 'svc-tracker-program.js', variants: 1 },
  'script-stripe-program': { file: 'svc-tracker-stripe-program.js', variants: 2 },
};

async function buildScript(/** @type {string} */ entry, /** @type {string} */ file) {
  const bundle = await rolldown({
    input: fileURLToPath(new URL(`src/${entry}.ts`, import.meta.url)),
    // The package has no side effects, but its scripts are nothing else.
    treeshake: { moduleSideEffects: () => true },
    transform: { target: 'es2021' },
    plugins: entry.endsWith('-program') ? [] : [WITHOUT_PROGRAM_OPTIONS],
  });
  const { output } = await bundle.generate({ format: 'esm', minify: { mangle: { toplevel: true } } });
  const [{ code }] = output;
  if (/\bvar |\bfunction\b/.test(code)) throw new Error(`${entry}: var and function would become globals of the page`);
  const script = inBestOrder(code.trim());
  await put(new URL(file, DIST), script);
  return { bytes: script.length, gzipBytes: gzipSync(script, { level: 9 }).length };
}

const WITHOUT_PROGRAM_OPTIONS = {
  name: 'without-program-options',
  load: (/** @type {string} */ id) =>
    id.endsWith('/program-options.ts') ? 'export const TAKES_PROGRAM_OPTIONS = false;' : null,
};

/**
 * The script with its functions in the order that compresses best. None of them runs before all are there, so their order means
 * nothing else. A block keeps `let` to itself like a function would, and one keyword compresses better than two.
 */
function inBestOrder(/** @type {string} */ code) {
  /** @type {string[]} */
  const functions = [];
  /** @type {string[]} */
  const values = [];
  /** @type {string[]} */
  const statements = [];
  for (const node of parseAst(code).body) {
    const parts = node.type === 'VariableDeclaration' ? node.declarations : [node];
    for (const part of parts) {
      const text = code.slice(part.start, part.end).replaceAll('const ', 'let ');
      if (part.type !== 'VariableDeclarator') statements.push(text);
      else if (part.init?.type === 'ArrowFunctionExpression') functions.push(text);
      else values.push(text);
    }
  }
  const scriptOf = (/** @type {string[]} */ ordered) =>
    Buffer.from(`{let ${[...ordered, ...values].join(',')};${statements.join('')}}\n`);
  const sizeOf = (/** @type {string[]} */ ordered) => gzipSync(scriptOf(ordered), { level: 9 }).length;
  // Moves one function after the other, drawn by a generator that always draws the same, and keeps what is not larger.
  let drawn = 7;
  const draw = (/** @type {number} */ below) => {
    drawn = (Math.imul(drawn, 1103515245) + 12345) & 0x7fffffff;
    return (drawn >> 8) % below;
  };
  let best = functions;
  let size = sizeOf(best);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const from = draw(best.length);
    const order = best.toSpliced(from, 1).toSpliced(draw(best.length), 0, String(best[from]));
    const next = sizeOf(order);
    if (next <= size) [best, size] = [order, next];
  }
  return scriptOf(best);
}

await buildCommonJs(DIST, /^(svc-tracker|script|of-program)/);
for (const [entry, { file, variants }] of Object.entries(SCRIPTS)) {
  const { bytes, gzipBytes } = await buildScript(entry, file);
  const maxGzipBytes = MAX_GZIP_BYTES + variants * MAX_EXTRA_BYTES;
  console.error(`${file}: ${gzipBytes} bytes gzipped of ${maxGzipBytes} allowed (${bytes} minified).`);
  if (gzipBytes > maxGzipBytes) process.exitCode = 1;
}
