// Builds what has changed since the last build: `node scripts/build.mjs [step …]`, every step by default.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const projects = [
  'packages/contract',
  'packages/testkit',
  'packages/tracker',
  'packages/node',
  'packages/server',
  'packages/cli',
  'demo',
  'bench',
  'rehearsals',
];

/** For the compiler, which is written in Go and lives for seconds: collecting its garbage would be a third of its work. */
export const SELDOM_COLLECTED = { GOGC: '400' };

/** @typedef {{ title: string, command: string[], inputs: string[], outputs: string[] }} Step */

/**
 * Steps that others need come first.
 *
 * @type {Record<string, Step>}
 */
const STEPS = {
  snippets: {
    title: 'Reading the examples',
    command: ['scripts/write-snippets.mjs'],
    inputs: ['scripts/write-snippets.mjs', 'examples'],
    outputs: ['packages/contract/src/snippets/examples.ts'],
  },
  compile: {
    title: 'Compiling',
    command: ['node_modules/@typescript/native/bin/tsc', '-b'],
    inputs: [
      'tsconfig.base.json',
      'tsconfig.json',
      ...projects.flatMap((path) => [`${path}/src`, `${path}/tsconfig.json`]),
    ],
    outputs: projects.map((path) => `${path}/dist/tsconfig.tsbuildinfo`),
  },
  service: {
    title: 'Building the service',
    command: ['packages/server/build.mjs'],
    inputs: ['packages/server/build.mjs', 'packages/server/src', 'packages/contract/src'],
    outputs: ['packages/server/dist/bin/svc-server.js'],
  },
  store: {
    title: 'Preparing the embedded database',
    // The engine runs for seconds, so optimizing its code would not pay off.
    command: ['--liftoff-only', 'packages/server/build-empty-store.mjs'],
    inputs: ['packages/server/build-empty-store.mjs', 'packages/server/src/db'],
    outputs: ['packages/server/dist/empty-store.tar.gz'],
  },
  tracker: {
    title: 'Building the tracker',
    command: ['packages/tracker/build.mjs'],
    inputs: ['packages/tracker/build.mjs', 'scripts/commonjs.mjs', 'packages/tracker/src'],
    outputs: [
      'svc-tracker.js',
      'svc-tracker-stripe.js',
      'svc-tracker-program.js',
      'svc-tracker-stripe-program.js',
      'cjs/index.js',
    ].map((name) => `packages/tracker/dist/${name}`),
  },
  node: {
    title: 'Building the server package',
    command: ['packages/node/build.mjs'],
    inputs: [
      ...['build.mjs', 'package.json', 'README.md', 'LICENSE', 'src'].map((name) => `packages/node/${name}`),
      'scripts/commonjs.mjs',
      'packages/contract/src',
    ],
    outputs: ['packages/node/dist/package/dist/cjs/index.js'],
  },
  cli: {
    title: 'Building the command line tool',
    command: ['packages/cli/build.mjs'],
    inputs: [
      ...['build.mjs', 'package.json', 'src'].map((name) => `packages/cli/${name}`),
      'LICENSE',
      'packages/contract/src',
    ],
    outputs: ['packages/cli/dist/package/svc.mjs'],
  },
  packages: {
    title: 'Packing what developers install',
    command: ['scripts/pack-packages.mjs'],
    // What the steps before are made of.
    inputs: [
      ...['pack-packages.mjs', 'tarball.mjs', 'commonjs.mjs'].map((name) => `scripts/${name}`),
      ...['tracker', 'node'].flatMap((name) =>
        ['build.mjs', 'package.json', 'README.md', 'LICENSE', 'src'].map((part) => `packages/${name}/${part}`),
      ),
      ...['build.mjs', 'package.json', 'src'].map((part) => `packages/cli/${part}`),
      'LICENSE',
      'package.json',
      'packages/contract/src',
    ],
    outputs: ['tracker', 'node', 'cli'].map((name) => `packages/${name}/dist/${name}.tgz`),
  },
  dashboard: {
    title: 'Building the dashboard',
    command: ['packages/dashboard/build.mjs'],
    inputs: [
      ...['build.mjs', 'vite.config.mjs', 'index.html', 'src'].map((name) => `packages/dashboard/${name}`),
      'packages/contract/src',
    ],
    outputs: ['packages/dashboard/dist/index.html'],
  },
  reference: {
    title: 'Building the documentation',
    command: ['packages/api-reference/build.mjs'],
    inputs: [
      ...['build.mjs', 'build-guide.mjs', 'highlight.mjs', 'page-script.mjs', 'docs.css', 'package.json'].map(
        (name) => `packages/api-reference/${name}`,
      ),
      'packages/dashboard/src/styles',
      'docs',
    ],
    outputs: ['packages/api-reference/dist/reference/reference.js', 'packages/api-reference/dist/guide/guide.json'],
  },
};

/** Builds the named steps, or all, as far as they are out of date. Returns false when one fails. */
export function build(names = Object.keys(STEPS)) {
  return runSteps(ROOT, STEPS, names);
}

/**
 * Runs each step whose inputs have changed since it last succeeded, or whose outputs are missing, until one fails.
 *
 * @param {string} root
 * @param {Record<string, Step>} steps
 * @param {string[]} names
 */
export function runSteps(root, steps, names) {
  const fingerprintOf = rememberFingerprints(root);
  const stamps = join(root, 'node_modules/.cache/svc-build');
  mkdirSync(stamps, { recursive: true });
  return names.every((name) => {
    const step = steps[name];
    if (!step) throw new Error(`There is no build step "${name}"`);
    const stamp = join(stamps, name);
    // The lock file covers the tools and libraries.
    const fingerprint = ['package-lock.json', ...step.inputs].map(fingerprintOf).join('\n');
    const isBuilt = step.outputs.every((path) => existsSync(join(root, path)));
    if (isBuilt && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return true;

    // Removed first and written last, so that an interrupted step runs again.
    rmSync(stamp, { force: true });
    console.error(`${step.title}…`);
    const { status } = spawnSync(process.execPath, step.command, {
      cwd: root,
      env: { ...process.env, ...SELDOM_COLLECTED },
      stdio: ['inherit', 2, 2],
    });
    if (status === 0) writeFileSync(stamp, fingerprint);
    return status === 0;
  });
}

/** Hashes files and folders without their tests. Each is read once, even if several steps need it. */
function rememberFingerprints(/** @type {string} */ root) {
  /** @type {Map<string, string>} */
  const known = new Map();
  return (/** @type {string} */ path) => {
    const fingerprint = known.get(path) ?? hashOf(root, filesIn(join(root, path)));
    known.set(path, fingerprint);
    return fingerprint;
  };
}

function hashOf(/** @type {string} */ root, /** @type {string[]} */ files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
}

/** @returns {string[]} */
function filesIn(/** @type {string} */ path) {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name) && !/node_modules/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2);
  if (!build(names.length > 0 ? names : undefined)) process.exitCode = 1;
}
