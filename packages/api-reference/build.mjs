// Builds the script of the API reference page: Scalar's component, set up for this service. Only browsers run it, so the
// service itself needs none of Scalar's packages.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const folder = fileURLToPath(new URL('.', import.meta.url));
const dist = join(folder, 'dist');
const builtFrom = join(dist, 'built-from');

// The component tries whether it may compile code at run time. The page's policy forbids that and would report the attempt,
// so it fails here before it is made.
const BEFORE = `{
  const refuse = () => { throw new EvalError('Code is not compiled at run time here'); };
  globalThis.Function = new Proxy(Function, { construct: refuse, apply: refuse });
}
`;

const CONFIGURATION = {
  url: '/openapi.json',
  // System fonts and no services of others: the page loads nothing from outside.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'none',
  defaultOpenFirstTag: true,
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
  hideModels: true,
};
const AFTER = `\nScalar.createApiReference('#reference', ${JSON.stringify(CONFIGURATION)});\n`;

// A tenth larger than at the highest quality, which takes fourteen times as long.
const SMALL = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Writes the script and its compressed forms, unless they were built from the same sources before. */
export async function buildReference() {
  const sources = [await readFile(join(folder, 'package.json'), 'utf8'), BEFORE, AFTER].join('');
  const fingerprint = createHash('sha256').update(sources).digest('hex');
  if ((await readFile(builtFrom, 'utf8').catch(() => '')) === fingerprint) return;
  const script = Buffer.from(BEFORE + (await componentScript()) + AFTER);
  // Built beside and renamed, so that a service or a test never reads half of it.
  const beside = `${dist}.${process.pid}.tmp`;
  await mkdir(beside, { recursive: true });
  await writeFile(join(beside, 'reference.js'), script);
  await writeFile(join(beside, 'reference.js.br'), brotliCompressSync(script, SMALL));
  await writeFile(join(beside, 'reference.js.gz'), gzipSync(script, { level: 9 }));
  await writeFile(join(beside, 'built-from'), fingerprint);
  await rm(dist, { recursive: true, force: true });
  await rename(beside, dist);
}

/** The component as its Fastify plugin serves it. */
async function componentScript() {
  const [{ default: Fastify }, { default: plugin }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ]);
  const app = Fastify();
  await app.register(plugin, { routePrefix: '/reference', configuration: { url: '/openapi.json' } });
  const { statusCode, body } = await app.inject('/reference/js/scalar.js');
  await app.close();
  if (statusCode !== 200) throw new Error(`The component's script was answered with ${statusCode}`);
  return body;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildReference();
