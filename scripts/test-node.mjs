// Runs the suite on another Node than the one in use: `npm run test:node -- 24 [arguments of vitest]`. Node comes from the registry's
// package `node`, and is kept in node_modules/.cache.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const [version = '', ...rest] = process.argv.slice(2);
if (!/^\d+(\.\d+){0,2}$/.test(version)) {
  console.error('Which Node? For example: npm run test:node -- 24');
  process.exit(1);
}

const folder = join(ROOT, 'node_modules/.cache', `node-${version}`);
const node = join(folder, 'node_modules/node/bin/node');
if (!existsSync(node)) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  // It consists of one package per platform, which its install script links.
  run('npm', ['install', '--no-audit', '--no-fund', `node@${version}`], folder);
}

// First in the path, so that what tests start runs on it too.
const env = { ...process.env, PATH: dirname(node) + delimiter + process.env.PATH };
run(node, ['--version'], ROOT, env);
run(node, ['scripts/build.mjs'], ROOT, env);
run(node, ['node_modules/vitest/vitest.mjs', 'run', ...rest], ROOT, env);

/** @param {string} command @param {string[]} args @param {string} cwd */
function run(command, args, cwd, env = process.env) {
  const { status } = spawnSync(command, args, { cwd, env, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
