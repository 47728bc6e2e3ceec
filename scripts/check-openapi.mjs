// Checks the API description with the tools that people use it with: Redocly and Spectral lint it, and Prism answers every route's
// example from it. The tools are large, so they are installed when this runs, outside the repository.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openApiDocument } from '@svc/contract';

const TOOLS = { '@redocly/cli': '2.73.0', '@stoplight/spectral-cli': '6.16.3', '@stoplight/prism-cli': '5.16.0' };
const FOLDER = join(tmpdir(), `svc-openapi-tools-${Object.values(TOOLS).join('-')}`);
const PORT = 4_310;

const run = promisify(execFile);
const print = (/** @type {string} */ line) => void process.stdout.write(`${line}\n`);
/** @typedef {{ operationId: string, deprecated?: boolean, parameters?: any[], requestBody?: any, responses: Record<string, any> }} Operation */

const document = openApiDocument('https://track.test', '1.0.0');
/** Linters want a success of every operation; those that are retired have none. */
const retired = Object.entries(document.paths)
  .filter(([, operations]) => Object.values(operations).some((operation) => Object(operation).deprecated))
  .map(([path]) => path);

await installTools();
const problems = [...(await lintWithRedocly()), ...(await lintWithSpectral()), ...(await mockWithPrism())];
for (const problem of problems) print(problem);
print(problems.length === 0 ? 'The API description is in order.' : `${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

async function installTools() {
  await mkdir(FOLDER, { recursive: true });
  await writeFile(join(FOLDER, 'package.json'), JSON.stringify({ private: true, dependencies: TOOLS }));
  await writeFile(join(FOLDER, 'openapi.json'), JSON.stringify(document));
  await writeFile(join(FOLDER, 'spectral.yaml'), 'extends: ["spectral:oas"]\n');
  if (existsSync(join(FOLDER, 'node_modules/.bin/prism'))) return;
  print('Installing the tools…');
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: FOLDER });
}

/**
 * What a linter printed as JSON. It may warn of other things before, and ends with an error if it found something.
 *
 * @param {string} tool
 * @param {string[]} args
 */
async function lint(tool, args) {
  const options = { cwd: FOLDER, maxBuffer: 64 * 1024 * 1024 };
  const running = run(join('node_modules/.bin', tool), args, options);
  const { stdout } = await running.catch((/** @type {{ stdout?: string }} */ failed) => failed);
  if (!stdout) throw new Error(`${tool} printed nothing`);
  return JSON.parse(stdout.slice(stdout.search(/^[[{]/m)));
}

async function lintWithRedocly() {
  const { problems } = await lint('redocly', ['lint', 'openapi.json', '--extends', 'recommended', '--format', 'json']);
  return problems
    .map((/** @type {any} */ { ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer ?? '' }))
    .filter((/** @type {any} */ { ruleId, at }) => {
      const isRetired = retired.some((path) => at.includes(path.replaceAll('/', '~1')));
      return !(ruleId === 'operation-2xx-response' && isRetired);
    })
    .map((/** @type {any} */ { ruleId, message, at }) => `Redocly: ${ruleId} at ${at}: ${message}`);
}

async function lintWithSpectral() {
  const found = await lint('spectral', [
    'lint',
    'openapi.json',
    '--ruleset',
    'spectral.yaml',
    '--format',
    'json',
    '--quiet',
  ]);
  return found
    .filter(
      (/** @type {any} */ { code, path }) => !(code === 'operation-success-response' && retired.includes(path[1])),
    )
    .map((/** @type {any} */ { code, path, message }) => `Spectral: ${code} at ${path.join(' ')}: ${message}`);
}

async function mockWithPrism() {
  const prism = spawn(
    join(FOLDER, 'node_modules/.bin/prism'),
    ['mock', '--errors', '-p', String(PORT), 'openapi.json'],
    {
      cwd: FOLDER,
      stdio: 'ignore',
    },
  );
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
  const body = requestBody && JSON.stringify(requestBody.content['application/json'].example);
  const headers = { authorization: 'Bearer example', ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(`http://127.0.0.1:${PORT}${filled}`, { method: method.toUpperCase(), headers, body });
  const text = await answer.text();
  const expected = success ?? Object.keys(responses)[0];
  if (String(answer.status) === expected) return [];
  return [`Prism: ${method.toUpperCase()} ${path} answered ${answer.status}, not ${expected}: ${text.slice(0, 300)}`];
}
