// Runs the checks side by side and prints the output of each that fails. Fails if one of them fails.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SELDOM_COLLECTED } from './build.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** @type {{ scripts: Record<string, string> }} */
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const PATH = [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter);

/**
 * The checks, each with the one that it waits for: the others need what the types check compiles.
 * Building belongs here because it holds the tracker and the dashboard to their sizes, and because the tests need it next.
 *
 * @type {Record<string, string | null>}
 */
const CHECKS = {
  types: null,
  format: null,
  structure: null,
  'test-types': 'types',
  'dashboard-types': 'types',
  'example-types': 'types',
  unused: 'types',
  build: 'types',
};

/** @type {Record<string, Promise<boolean>>} */
const running = {};

/**
 * @param {string} name
 * @returns {Promise<boolean>}
 */
function runCheck(name) {
  return new Promise((resolve) => {
    // As npm would run it, without starting npm eight times.
    const child = spawn(String(scripts[`check:${name}`]), {
      shell: true,
      cwd: ROOT,
      env: { ...process.env, ...SELDOM_COLLECTED, PATH },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
    child.on('close', (code) => {
      process.stdout.write(`check:${name} ${code === 0 ? 'passed' : 'failed'}\n${code === 0 ? '' : output}`);
      resolve(code === 0);
    });
  });
}

/**
 * @param {string} name
 * @returns {Promise<boolean>}
 */
function start(name) {
  const before = CHECKS[name];
  running[name] ??= Promise.resolve(before && start(before)).then(() => runCheck(name));
  return running[name];
}

const results = await Promise.all(Object.keys(CHECKS).map(start));
process.exitCode = results.every(Boolean) ? 0 : 1;
