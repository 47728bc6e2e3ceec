// Copies what an installation runs, and nothing else, into a new folder: `node scripts/stage-release.mjs <folder>`, after a build.
// The image and the tarball of a release are made of it.
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The service is bundled, but for these: they look for files beside their own modules. */
const MODULES = ['@electric-sql/pglite', 'dejavu-fonts-ttf'];
const SCRIPTS = ['svc-tracker', 'svc-tracker-stripe', 'svc-tracker-program', 'svc-tracker-stripe-program'];
/**
 * What an installation needs of a package, unless that is what was built. Migrations are read as they are, and so are the clients
 * in other languages.
 *
 * @type {Record<string, string[]>}
 */
const PARTS = {
  server: ['dist/bin', 'dist/empty-store.tar.gz', 'src/db/migrations'],
  clients: ['src'],
  tracker: ['dist/tracker.tgz', ...SCRIPTS.map((name) => `dist/${name}.js`)],
  node: ['dist/node.tgz'],
  cli: ['dist/cli.tgz'],
};
/** What compilers and tests need. */
const LEFT_OUT = /(\.d\.ts|\.tsbuildinfo|\.map|\.test\.ts|[\\/]dist[\\/]dev)$/;

/** @param {string} target */
export function stageRelease(target) {
  mkdirSync(join(target, 'node_modules', '@svc'), { recursive: true });
  const { name, version, license, type } = manifestOf('.');
  writeFileSync(
    join(target, 'package.json'),
    `${JSON.stringify({ name, version, private: true, license, type }, null, 2)}\n`,
  );
  for (const path of ['LICENSE', 'CHANGELOG.md', 'deploy']) copy(path, target);
  for (const folder of ownPackages('server')) {
    for (const part of ['package.json', ...(PARTS[folder] ?? ['dist'])]) copy(join('packages', folder, part), target);
    symlinkSync(`../../packages/${folder}`, join(target, 'node_modules', '@svc', folder));
  }
  for (const module of MODULES) copy(join('node_modules', module), target);
}

/** @param {string} path */
function manifestOf(path) {
  return JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8'));
}

/**
 * The folders of a package and of those of this repository that it depends on.
 *
 * @param {string} folder
 * @returns {string[]}
 */
function ownPackages(folder) {
  const names = Object.keys(manifestOf(`packages/${folder}`).dependencies ?? {});
  const own = names
    .filter((name) => name.startsWith('@svc/'))
    .flatMap((name) => ownPackages(name.slice('@svc/'.length)));
  return [...new Set([folder, ...own])];
}

/** @param {string} path @param {string} target */
function copy(path, target) {
  cpSync(join(ROOT, path), join(target, path), { recursive: true, filter: (source) => !LEFT_OUT.test(source) });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const target = process.argv[2];
  if (!target || existsSync(target)) {
    console.error('Name a folder that does not exist yet: node scripts/stage-release.mjs <folder>');
    process.exitCode = 1;
  } else stageRelease(target);
}
