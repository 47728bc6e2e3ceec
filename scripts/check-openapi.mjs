// Checks the API description with the tools that people use it with. Redocly and Spectral lint it, as OpenAPI 3.1 and as 3.0; Prism
// answers every route's example from it; openapi-typescript, hey-api, orval and quicktype generate clients, which are compiled. The
// tools are large, so they are installed when this runs, outside the repository. Compilers that are not there are left out, and said.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { asOpenApi30, openApiDocument } from '@svc/contract';
import { generateClients } from './openapi-clients.mjs';

const TOOLS = {
  '@redocly/cli': '2.77.0',
  '@stoplight/spectral-cli': '6.16.3',
  '@stoplight/prism-cli': '5.16.0',
  '@hey-api/openapi-ts': '0.99.0',
  'openapi-typescript': '7.13.0',
  orval: '8.20.0',
  quicktype: '26.0.0',
  typescript: '5.9.3',
  '@types/node': '24.10.1',
};
/** What the newest of the tools ask for. It is the registry's package, if this is an older one. */
const NODE = '24';
const FOLDER = join(tmpdir(), `svc-openapi-tools-${Object.values(TOOLS).join('-')}-node-${NODE}`);
const PORT = 4_310;

const execute = promisify(execFile);
const print = (/** @type {string} */ line) => void process.stdout.write(`${line}\n`);
/** @typedef {{ operationId: string, deprecated?: boolean, parameters?: any[], requestBody?: any, responses: Record<string, any> }} Operation */

const document = openApiDocument('https://track.test', '1.0.0');
const FILES = { 'openapi.json': document, 'openapi-3.0.json': asOpenApi30(document) };
/** Linters want a success of every operation; those that are retired have none. */
const retired = Object.entries(document.paths)
  .filter(([, operations]) => Object.values(operations).some((operation) => Object(operation).deprecated))
  .map(([path]) => path);

const env = { ...process.env, ...(await installTools()) };
/** @type {(command: string, args: string[], options?: { cwd?: string }) => Promise<{ stdout: string, stderr: string }>} */
const run = (command, args, options = {}) =>
  execute(command, args, { cwd: FOLDER, env, maxBuffer: 256 * 1024 * 1024, ...options });

const problems = [];
for (const file of Object.keys(FILES)) {
  problems.push(...(await lintWithRedocly(file)), ...(await lintWithSpectral(file)));
  print(`${file}: linted with Redocly and Spectral`);
}
problems.push(...(await mockWithPrism()));
print('Prism: every example was sent and answered');
problems.push(...(await generateClients({ folder: FOLDER, files: Object.keys(FILES), document, run, print })));

for (const problem of problems) print(problem);
print(problems.length === 0 ? 'The API description is in order.' : `${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** Installs what is not there, and returns the path in which the tools and their Node are found first. */
async function installTools() {
  await mkdir(FOLDER, { recursive: true });
  for (const [name, content] of Object.entries(FILES)) await writeFile(join(FOLDER, name), JSON.stringify(content));
  await writeFile(join(FOLDER, 'spectral.yaml'), 'extends: ["spectral:oas"]\n');
  await writeFile(join(FOLDER, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies: TOOLS }));
  const paths = [join(FOLDER, 'node_modules/.bin')];
  if (Number(process.versions.node.split('.')[0]) < Number(NODE)) {
    const home = join(FOLDER, 'newer-node');
    paths.push(join(home, 'node_modules/node/bin'));
    if (!existsSync(home)) {
      print(`Installing Node ${NODE}…`);
      const half = `${home}-${process.pid}`;
      await mkdir(half);
      await writeFile(join(half, 'package.json'), '{"private":true}');
      // It consists of one package per platform, which its install script links.
      await npm([`node@${NODE}`], half);
      await rename(half, home);
    }
  }
  const PATH = [...paths, process.env.PATH].join(delimiter);
  if (!existsSync(join(FOLDER, 'node_modules'))) {
    print('Installing the tools…');
    // With the newer Node, or npm refuses those that ask for it.
    await npm(['--ignore-scripts'], FOLDER, { PATH });
  }
  await rm(join(FOLDER, 'clients'), { recursive: true, force: true });
  return { PATH };
}

/** @param {string[]} args @param {string} cwd @param {Record<string, string>} [variables] */
function npm(args, cwd, variables) {
  const env = { ...process.env, ...variables };
  return execute('npm', ['install', '--no-audit', '--no-fund', ...args], { cwd, env });
}

/**
 * What a linter printed as JSON. It may warn of other things before, and ends with an error if it found something.
 *
 * @param {string} tool
 * @param {string[]} args
 */
async function lint(tool, args) {
  const { stdout } = await run(tool, args).catch((/** @type {{ stdout?: string }} */ failed) => failed);
  if (!stdout) throw new Error(`${tool} printed nothing`);
  return JSON.parse(stdout.slice(stdout.search(/^[[{]/m)));
}

/** @param {string} file */
async function lintWithRedocly(file) {
  const { problems } = await lint('redocly', ['lint', file, '--extends', 'recommended', '--format', 'json']);
  return problems
    .map((/** @type {any} */ { ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer ?? '' }))
    .filter((/** @type {any} */ { ruleId, at }) => {
      const isRetired = retired.some((path) => at.includes(path.replaceAll('/', '~1')));
      return !(ruleId === 'operation-2xx-response' && isRetired);
    })
    .filter((/** @type {any} */ { ruleId, message }) => {
      const [one = '', other = ''] = [...message.matchAll(/`(\/[^`]+)`/g)].map(([, path]) => path);
      return ruleId !== 'no-ambiguous-paths' || !areToldApart(one, other);
    })
    .map((/** @type {any} */ { ruleId, message, at }) => `Redocly: ${file}: ${ruleId} at ${at}: ${message}`);
}

/**
 * Whether two paths differ where one has a word and the other a number: Redocly looks at no types, and takes `by-external-id` for an id.
 *
 * @param {string} one
 * @param {string} other
 */
function areToldApart(one, other) {
  const isNumber = (/** @type {string} */ path, /** @type {string} */ segment) =>
    Object.values(document.paths[path] ?? {}).every((operation) =>
      /** @type {Operation} */ (operation).parameters?.some(
        ({ name, in: place, schema }) => place === 'path' && `{${name}}` === segment && schema.type === 'integer',
      ),
    );
  const others = other.split('/');
  return one.split('/').some((segment, index) => {
    const beside = others[index] ?? '';
    const isWord = (/** @type {string} */ text) => /^[a-z-]+$/.test(text);
    return (isWord(segment) && isNumber(other, beside)) || (isWord(beside) && isNumber(one, segment));
  });
}

/** @param {string} file */
async function lintWithSpectral(file) {
  const found = await lint('spectral', ['lint', file, '--ruleset', 'spectral.yaml', '--format', 'json', '--quiet']);
  return found
    .filter(
      (/** @type {any} */ { code, path }) => !(code === 'operation-success-response' && retired.includes(path[1])),
    )
    .map((/** @type {any} */ { code, path, message }) => `Spectral: ${file}: ${code} at ${path.join(' ')}: ${message}`);
}

async function mockWithPrism() {
  const args = ['mock', '--errors', '-p', String(PORT), 'openapi.json'];
  const prism = spawn(join(FOLDER, 'node_modules/.bin/prism'), args, { cwd: FOLDER, env, stdio: 'ignore' });
  try {
    await untilAnswering();
    const answers = [];
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        answers.push(...(await tryExample(method, path, /** @type {Operation} */ (operation))));
      }
    }
    return answers;
  } finally {
    prism.kill();
    await once(prism, 'exit');
  }
}

async function untilAnswering() {
  for (let tries = 0; tries < 120; tries += 1) {
    const isAnswering = await fetch(`http://127.0.0.1:${PORT}/`).then(
      () => true,
      () => false,
    );
    if (isAnswering) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error('Prism did not start');
}

/**
 * Sends the example of an operation. Prism answers with what the document promises, or says what is wrong with either.
 *
 * @param {string} method
 * @param {string} path
 * @param {Operation} operation
 */
async function tryExample(method, path, { parameters = [], requestBody, responses }) {
  const filled = path.replace(
    /\{(\w+)\}/g,
    (_, name) => parameters.find((parameter) => parameter.name === name).example,
  );
  const [success] = Object.keys(responses).filter((status) => status.startsWith('2'));
  const [[type, { example }] = ['', {}]] = /** @type {[string, any][]} */ (Object.entries(requestBody?.content ?? {}));
  const body = type === 'application/json' ? JSON.stringify(example) : example;
  const headers = { authorization: 'Bearer example', ...(body && { 'content-type': type }) };
  const answer = await fetch(`http://127.0.0.1:${PORT}${filled}`, { method: method.toUpperCase(), headers, body });
  const text = await answer.text();
  const expected = success ?? Object.keys(responses)[0];
  if (String(answer.status) === expected) return [];
  return [`Prism: ${method.toUpperCase()} ${path} answered ${answer.status}, not ${expected}: ${text.slice(0, 300)}`];
}
