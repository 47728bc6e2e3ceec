// Releases a version: `npm run release -- [version] [--dry-run] [--platforms <list>] [--sign <SSH key>]`. Without a version it is the current one while it has no tag, and
// the next minor one after that. It wants a clean tree, sets the version everywhere, dates the section of the changelog, writes what
// callers of the API rely on from now on, commits and makes an annotated tag. What is done already is left alone, so an interrupted release is completed by running it again. Then it
// makes the files of the release in `dist/release`. With --dry-run it makes those of the current sources, and changes nothing else.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeArtifacts } from './release-artifacts.mjs';

/** Not part of the sources. */
const ARTIFACTS = 'dist/release';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const VERSION = /^\d+\.\d+\.\d+$/;

/** What callers of the newest release rely on. */
const RELEASED_API = 'docs/released-api.json';

/** @typedef {{ version?: string | undefined, isDryRun: boolean, today: string, describeApi: (version: string) => string }} Wanted */

/**
 * Makes the release, or only says what it would do. Returns a line for each step.
 *
 * @param {string} root
 * @param {Wanted} wanted
 */
export function release(root, { version: asked, isDryRun, today, describeApi }) {
  const git = (/** @type {string[]} */ ...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');
  if (git('status', '--porcelain'))
    throw new Error('There are changes that are not committed. Commit or remove them first.');

  const { version: current } = JSON.parse(read('package.json'));
  const isTagged = (/** @type {string} */ name) => git('tag', '--list', `v${name}`) !== '';
  const isReleased = isTagged(current) && git('rev-parse', `v${current}^{commit}`) === git('rev-parse', 'HEAD');
  // Only its files are made again: the release may have ended before it had all of them.
  if (isReleased && (asked ?? current) === current) return [];
  const version = asked ?? (isTagged(current) ? nextMinor(current) : current);
  if (!VERSION.test(version)) throw new Error(`"${version}" is not a version like 1.2.3`);
  if (isTagged(version)) throw new Error(`v${version} exists already.`);
  if (isBefore(version, current)) throw new Error(`${version} is before the current version, ${current}.`);

  /** @type {Record<string, string>} */
  const files = { 'CHANGELOG.md': datedChangelog(read('CHANGELOG.md'), version, today) };
  for (const path of manifestsOf(root)) files[path] = withVersion(read(path), current, version);
  files['package-lock.json'] = lockWithVersion(read('package-lock.json'), version);
  files[RELEASED_API] = describeApi(version);
  const changed = Object.entries(files).filter(([path, text]) => text !== read(path));

  const steps = [...changed.map(([path]) => `${version} in ${path}`), `tag v${version}`];
  if (isDryRun) return steps;
  for (const [path, text] of changed) writeFileSync(join(root, path), text);
  if (changed.length > 0) git('commit', '--quiet', '--all', '--message', `Release ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Release ${version}`);
  return steps;
}

/**
 * Turns what is under "Unreleased" into the section of the version, and leaves an empty one above it.
 *
 * @param {string} text
 * @param {string} version
 * @param {string} today
 */
export function datedChangelog(text, version, today) {
  if (text.includes(`\n## ${version} (`)) return text;
  const [before = '', after] = text.split('## Unreleased\n');
  if (after === undefined) throw new Error('CHANGELOG.md has no section "Unreleased".');
  if (!/^\s*(?!## )\S/.test(after)) throw new Error('CHANGELOG.md says nothing under "Unreleased".');
  return `${before}## Unreleased\n\n## ${version} (${today})\n${after}`;
}

/** The manifests of the workspaces, which all have the same version. */
function manifestsOf(/** @type {string} */ root) {
  const packages = readdirSync(join(root, 'packages')).sort();
  return [
    'package.json',
    'bench/package.json',
    'demo/package.json',
    'rehearsals/package.json',
    ...packages.map((name) => `packages/${name}/package.json`),
  ];
}

/**
 * The manifest with the new version, its own and those of the workspaces it depends on. The rest stays as it is written.
 *
 * @param {string} text
 * @param {string} current
 * @param {string} version
 */
function withVersion(text, current, version) {
  const pattern = new RegExp(`^( *"(?:version|@svc/[a-z-]+)": )"${current.replaceAll('.', '\\.')}"`, 'gm');
  return text.replace(pattern, `$1"${version}"`);
}

function lockWithVersion(/** @type {string} */ text, /** @type {string} */ version) {
  const lock = JSON.parse(text);
  lock.version = version;
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path.startsWith('node_modules/') || path.includes('/node_modules/')) continue;
    entry.version = version;
    for (const kind of ['dependencies', 'devDependencies']) {
      for (const name of Object.keys(entry[kind] ?? {})) if (name.startsWith('@svc/')) entry[kind][name] = version;
    }
  }
  return `${JSON.stringify(lock, null, 2)}\n`;
}

/** @param {string} version */
function nextMinor(version) {
  const [major, minor] = version.split('.').map(Number);
  return `${major}.${Number(minor) + 1}.0`;
}

/** @param {string} a @param {string} b */
function isBefore(a, b) {
  const [one, other] = [a, b].map((version) => version.split('.').map(Number));
  const differing = one?.findIndex((part, index) => part !== other?.[index]) ?? -1;
  return differing >= 0 && (one?.[differing] ?? 0) < (other?.[differing] ?? 0);
}

/** What callers of the current sources rely on. @param {string} version */
function describeApi(version) {
  const node = (/** @type {string[]} */ ...args) =>
    execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  node('scripts/build.mjs', 'snippets', 'compile');
  return node('scripts/api-surface.mjs', version);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const { values, positionals } = parseArgs({
      options: { 'dry-run': { type: 'boolean' }, platforms: { type: 'string' }, sign: { type: 'string' } },
      allowPositionals: true,
    });
    const isDryRun = values['dry-run'] === true;
    const today = new Date().toISOString().slice(0, 10);
    const steps = release(ROOT, { version: positionals[0], isDryRun, today, describeApi });
    console.log(steps.join('\n'));
    execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: ROOT, stdio: 'inherit' });
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const made = makeArtifacts(version, join(ROOT, ARTIFACTS), { platforms: values.platforms, key: values.sign });
    console.log(`\nIn ${ARTIFACTS}:\n${made.files.join('\n')}`);
    if (made.noImage && values.platforms)
      throw new Error(`There is no image: ${made.noImage}. Mend this and run the same command again.`);
    if (made.noImage) console.log(`No image: ${made.noImage}.`);
    console.log(isDryRun ? '\nNothing else was changed.' : '\nPush it with: git push --follow-tags');
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
