// Packs what developers install from the service, as npm would, into packages/<name>/dist/<name>.tgz. Nothing in them is of an
// installation: everybody who runs a release serves the same bytes.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { put } from './commonjs.mjs';
import { createTarball } from './tarball.mjs';

const PACKAGES = new URL('../packages/', import.meta.url);
const pathOf = (/** @type {string} */ path) => fileURLToPath(new URL(path, PACKAGES));

/** @typedef {{ folder: string, leaveOut?: RegExp }} Packed */

/**
 * The folders of the built packages.
 *
 * @type {Record<string, Packed>}
 */
const PACKED = {
  // The scripts are served by themselves.
  tracker: { folder: 'tracker/', leaveOut: /^dist\/(cjs\/)?(script|svc-tracker|of-program)[-.]/ },
  node: { folder: 'node/dist/package/' },
  cli: { folder: 'cli/dist/package/' },
};

/** What the manifest of the repository says about all of its packages. */
const SHARED_FIELDS = ['author', 'repository', 'bugs', 'homepage'];
const shared = Object.entries(JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))).filter(
  ([field]) => SHARED_FIELDS.includes(field),
);
/** Fields that only matter inside this repository. */
const INTERNAL_FIELDS = ['private', 'scripts', 'devDependencies'];

for (const [name, { folder, leaveOut }] of Object.entries(PACKED)) {
  const files = await filesOf(pathOf(folder), leaveOut);
  await put(new URL(`${name}/dist/${name}.tgz`, PACKAGES), createTarball(files));
}

/**
 * What is in the package, by its path in the tarball: its public manifest, what was built, the README and the license.
 *
 * @param {string} folder
 * @param {RegExp} [leaveOut]
 */
async function filesOf(folder, leaveOut) {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const inDist = await readdir(join(folder, 'dist'), { recursive: true, withFileTypes: true }).catch(() => []);
  const built = inDist
    .filter((entry) => entry.isFile() && /\.(js|d\.ts|json|md|txt)$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length).replaceAll('\\', '/'));
  const beside = (await readdir(folder)).filter((name) => /^(README\.md|LICENSE)$/.test(name));
  const paths = [...(manifest.files ?? built), ...beside].filter((path) => !leaveOut?.test(path));
  const contents = paths.map(
    async (path) => /** @type {const} */ ([`package/${path}`, await readFile(join(folder, path))]),
  );
  const files = new Map(await Promise.all(contents));
  return files.set('package/package.json', Buffer.from(`${JSON.stringify(publicManifest(manifest), null, 2)}\n`));
}

/**
 * The manifest without what is not in the package, such as references to sources.
 *
 * @param {Record<string, any>} manifest
 */
function publicManifest(manifest) {
  const own = Object.entries(manifest).filter(([field]) => !INTERNAL_FIELDS.includes(field));
  const kept = Object.fromEntries([...own, ...shared]);
  if (!kept.exports) return kept;
  const exports = Object.entries(kept.exports).map(([path, target]) => {
    if (typeof target !== 'object') return [path, target];
    const { source, ...conditions } = target;
    return [path, conditions];
  });
  return { ...kept, exports: Object.fromEntries(exports) };
}
