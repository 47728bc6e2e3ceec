// Generates clients from the API description with the tools that people use, and compiles what they write.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * @typedef {{
 *   folder: string, files: string[], document: import('@svc/contract').OpenApiDocument, print: (line: string) => void,
 *   run: (command: string, args: string[], options?: { cwd?: string }) => Promise<{ stdout: string, stderr: string }>,
 * }} Generating
 */

/** Strict, and more: what the generators write is compiled in the projects of others. */
const COMPILER_OPTIONS = {
  ...{ strict: true, noUncheckedIndexedAccess: true, noImplicitOverride: true, noEmit: true, skipLibCheck: false },
  ...{ module: 'esnext', moduleResolution: 'bundler', target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'] },
  types: ['node'],
};

/** What people write with the client of hey-api: calls by the names of operations, with booleans and numbers. */
const USE_OF_HEY_API = `import { client } from './client.gen';
import { manageLinks, trackSale } from './sdk.gen';
import type { Sale } from './types.gen';

client.setConfig({ baseUrl: 'https://track.test' });
export async function report(): Promise<number | null | undefined> {
  const { data } = await trackSale({ body: { transaction_id: 'order_1', amount_cents: 4900, customer_key: 'user_42' } });
  const links = await manageLinks({ path: { program_id: 42 }, query: { totals: true, active: false } });
  return links.data?.meta.count ?? data?.data.sale_id;
}
export const currencyOf = ({ currency }: Sale): string => currency;
`;

const USE_OF_ORVAL = `import { manageLinks, trackSale } from './client';

export const report = () => trackSale({ transaction_id: 'order_1', amount_cents: 4900, customer_key: 'user_42' });
export const links = () => manageLinks(42, { totals: true, active: false });
`;

/**
 * Generates a client with each tool and compiles it. Returns what went wrong.
 *
 * @param {Generating} generating
 * @returns {Promise<string[]>}
 */
export async function generateClients(generating) {
  const problems = [];
  for (const [name, generate] of Object.entries(GENERATORS)) {
    const found = await generate(generating);
    if (found.length === 0) generating.print(`${name}: generated and compiled`);
    problems.push(...found);
  }
  return problems;
}

const GENERATORS = {
  'openapi-typescript': withOpenApiTypescript,
  'hey-api': withHeyApi,
  orval: withOrval,
  quicktype: withQuicktype,
};

/** @param {Generating} generating */
async function withOpenApiTypescript({ folder, files, run }) {
  const problems = [];
  for (const file of files) {
    const name = `openapi-typescript, ${file}`;
    const home = await homeOf(folder, `openapi-typescript-${file}`);
    const made = await attempt(name, () => run('openapi-typescript', [file, '-o', join(home, 'api.ts')]));
    problems.push(...made, ...(made.length > 0 ? [] : await compile(name, home, run)));
  }
  return problems;
}

/** @param {Generating} generating */
async function withHeyApi({ folder, run }) {
  const home = await homeOf(folder, 'hey-api');
  const made = await attempt('hey-api', () => run('openapi-ts', ['-i', 'openapi.json', '-o', home, '--no-log-file']));
  if (made.length > 0) return made;
  await writeFile(join(home, 'use.ts'), USE_OF_HEY_API);
  return compile('hey-api', home, run);
}

/** @param {Generating} generating */
async function withOrval({ folder, run }) {
  const home = await homeOf(folder, 'orval');
  const target = join(home, 'client.ts');
  const args = ['--input', 'openapi.json', '--output', target, '--client', 'fetch'];
  const made = await attempt('orval', () => run('orval', args));
  if (made.length > 0) return made;
  await writeFile(join(home, 'use.ts'), USE_OF_ORVAL);
  return compile('orval', home, run);
}

/** The languages that quicktype writes here, and what checks each. */
const LANGUAGES = {
  go: {
    file: 'api.go',
    options: ['--package', 'api'],
    command: 'go',
    checks: [
      ['vet', './...'],
      ['build', './...'],
    ],
  },
  python: {
    file: 'api.py',
    options: ['--python-version', '3.7'],
    command: 'python3',
    checks: [['-m', 'py_compile', 'api.py']],
  },
  php: { file: 'api.php', options: [], command: 'php', checks: [['-l', 'api.php']] },
};

/**
 * Quicktype reads JSON Schema, so it gets the named schemas of the document.
 *
 * @param {Generating} generating
 */
async function withQuicktype({ folder, document, run, print }) {
  const text = JSON.stringify(document.components.schemas).replaceAll('#/components/schemas/', '#/definitions/');
  const definitions = JSON.parse(text);
  const properties = Object.fromEntries(
    Object.keys(definitions).map((name) => [name, { $ref: `#/definitions/${name}` }]),
  );
  await writeFile(join(folder, 'schemas.json'), JSON.stringify({ type: 'object', properties, definitions }));
  const problems = [];
  for (const [language, { file, options, command, checks }] of Object.entries(LANGUAGES)) {
    const home = await homeOf(folder, `quicktype-${language}`);
    const args = ['--lang', language, '--src-lang', 'schema', '--top-level', 'Api', '--no-combine-classes', ...options];
    const name = `quicktype for ${language}`;
    const made = await attempt(name, () => run('quicktype', [...args, '-o', join(home, file), 'schemas.json']));
    problems.push(...made);
    if (made.length > 0) continue;
    if (!(await has(command, run))) {
      print(`${name}: generated; not compiled, because there is no ${command} here`);
      continue;
    }
    if (language === 'go') await writeFile(join(home, 'go.mod'), 'module api\n\ngo 1.18\n');
    for (const check of checks)
      problems.push(...(await attempt(`${name}, ${command}`, () => run(command, check, { cwd: home }))));
  }
  return problems;
}

/** @param {string} folder @param {string} name */
async function homeOf(folder, name) {
  const home = join(folder, 'clients', name);
  await mkdir(home, { recursive: true });
  return home;
}

/** @param {string} name @param {string} home @param {Generating['run']} run */
async function compile(name, home, run) {
  const configuration = { compilerOptions: COMPILER_OPTIONS, include: ['**/*.ts'] };
  await writeFile(join(home, 'tsconfig.json'), JSON.stringify(configuration));
  return attempt(`${name}, tsc`, () => run('tsc', ['-p', home]));
}

/** @param {string} command @param {Generating['run']} run */
function has(command, run) {
  return run(command, [command === 'go' ? 'version' : '--version']).then(
    () => true,
    () => false,
  );
}

/**
 * The problem of a command that failed, as it printed it.
 *
 * @param {string} name
 * @param {() => Promise<unknown>} act
 * @returns {Promise<string[]>}
 */
async function attempt(name, act) {
  try {
    await act();
    return [];
  } catch (error) {
    const { stdout = '', stderr = '' } = /** @type {{ stdout?: string, stderr?: string }} */ (error);
    return [`${name}: ${`${stdout}${stderr}`.trim().slice(0, 4_000) || error}`];
  }
}
