// Makes the files of a release in a folder: the tarball of an installation, the packages that it serves, an image where a builder is
// there, a list of what is in them (SBOM), and their checksums.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stageRelease } from './stage-release.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SUMS = 'SHA256SUMS';
const BUILDERS = ['podman', 'docker'];

/**
 * `builders` are programs that make images, of which the first that is installed is used.
 *
 * @typedef {{ platforms?: string | undefined, key?: string | undefined, builders?: string[] }} Wishes
 */

/**
 * Returns the files that were made, and why there is no image if there is none. The image is for the `platforms`, by default that of
 * this machine. With the private `key` of an SSH pair, the checksums are signed.
 *
 * @param {string} version
 * @param {string} folder
 * @param {Wishes} [wishes]
 */
export function makeArtifacts(version, folder, { platforms, key, builders = BUILDERS } = {}) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  makeTarball(version, folder);
  for (const name of ['tracker', 'node', 'cli']) {
    copyFileSync(join(ROOT, `packages/${name}/dist/${name}.tgz`), join(folder, `svc-${name}-${version}.tgz`));
  }
  makeBill(version, folder);
  const noImage = makeImage(version, folder, builders, platforms);
  return { files: writeSums(folder, key), noImage };
}

/**
 * Writes the checksums of all files in a folder, and their signature if there is a key. Returns the names of all files.
 *
 * @param {string} folder
 * @param {string} [key]
 */
export function writeSums(folder, key) {
  const hashOf = (/** @type {string} */ name) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  const sums = readdirSync(folder)
    .sort()
    .map((name) => `${hashOf(name)}  ${name}\n`);
  writeFileSync(join(folder, SUMS), sums.join(''));
  if (key) execFileSync('ssh-keygen', ['-Y', 'sign', '-f', key, '-n', 'file', join(folder, SUMS)], { stdio: 'pipe' });
  return readdirSync(folder).sort();
}

/** Made twice of the same sources, it has the same bytes: owners, times and the order of its files are fixed. */
function makeTarball(/** @type {string} */ version, /** @type {string} */ folder) {
  const work = mkdtempSync(join(tmpdir(), 'svc-stage-'));
  const name = `svc-${version}`;
  try {
    stageRelease(join(work, name));
    const time = execFileSync('git', ['log', '-1', '--format=%cI'], { cwd: ROOT, encoding: 'utf8' }).trim();
    const flags = ['--sort=name', `--mtime=${time}`, '--owner=0', '--group=0', '--numeric-owner', '--mode=u+rwX,go=rX'];
    execFileSync('tar', [...flags, '-C', work, '-cf', join(work, 'tar'), name]);
    const packed = execFileSync('gzip', ['-9', '-n', '-c', join(work, 'tar')], { maxBuffer: 2 ** 30 });
    writeFileSync(join(folder, `${name}.tar.gz`), packed);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Everything that the service depends on, in the form of CycloneDX. `npm sbom --omit dev` leaves out what tests use as well, and lists
 * what only tests use.
 */
function makeBill(/** @type {string} */ version, /** @type {string} */ folder) {
  const components = [...dependenciesOf('packages/server')].sort().map((path) => componentOf(LOCK[path], path));
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', name: 'svc', version } },
    components,
  };
  writeFileSync(join(folder, `svc-${version}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
}

/**
 * @typedef {{ version: string, link?: boolean, resolved?: string, license?: string, integrity?: string,
 *   dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} Locked
 */

/** @type {Record<string, Locked>} */
const LOCK = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;

/**
 * Where the lock file has the packages of others that a package needs to run, itself or through others.
 *
 * @param {string} start
 */
function dependenciesOf(start) {
  const seen = new Set([start]);
  for (const path of seen) {
    const { dependencies, optionalDependencies } = LOCK[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = placeOf(name, path);
      if (found !== undefined) seen.add(found);
    }
  }
  return [...seen].filter((path) => path.includes('node_modules/'));
}

/**
 * The folder that Node finds the package in, as the lock file names it. What is optional may be missing.
 *
 * @param {string} name
 * @param {string} from
 */
function placeOf(name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/'), 0))) {
    const path = `${folder && `${folder}/`}node_modules/${name}`;
    const locked = LOCK[path];
    if (locked) return locked.link ? locked.resolved : path;
    if (folder === '') return undefined;
  }
}

/** @param {Locked | undefined} locked @param {string} path */
function componentOf(locked, path) {
  const { version = '', license, integrity = '' } = locked ?? {};
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const [, sha512] = /^sha512-(.+)$/.exec(integrity) ?? [];
  return {
    type: 'library',
    name,
    version,
    purl,
    ...(license && { licenses: [{ expression: license }] }),
    ...(sha512 && { hashes: [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }] }),
  };
}

/**
 * Why there is no image; null if there is one. Its base is the one that the name of the Dockerfile stands for now, by its digest, and
 * a file beside it says which. With `platforms`, there is one for all of them or none.
 *
 * @param {string} version
 * @param {string} folder
 * @param {string[]} builders of images, of which the first that is installed is used
 * @param {string} [platforms]
 */
export function makeImage(version, folder, builders, platforms) {
  const builder = builders.find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0);
  if (!builder) return 'neither podman nor docker is installed';
  const name = basename(builder);
  if (platforms && name === 'docker') return 'docker makes an image for one platform only; install podman';
  const call = (/** @type {string[]} */ ...args) => spawnSync(builder, args, { cwd: ROOT, encoding: 'utf8' });
  const [, image = ''] = /^ARG NODE_IMAGE=(.+)$/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')) ?? [];
  const pulled = call('pull', '--quiet', image);
  if (pulled.status !== 0) return `${name} could not fetch ${image} (${lastLine(pulled.stderr)})`;
  const wanted = platforms?.split(',') ?? [];
  const base = baseOf(call, image, wanted);
  if (!base) return `${image} is not there for ${wanted.join(' and ')}`;
  // An image has one name and a manifest another: podman turns neither into the other.
  const tag = `${platforms ? 'svc-platforms' : 'svc'}:${version}`;
  // Or what an earlier try made would stay in it.
  if (platforms) call('manifest', 'rm', tag);
  const target = platforms ? ['--platform', platforms, '--manifest', tag] : ['--tag', tag];
  // The base may be here for another processor: under a digest that stands for several, that one would be taken.
  const built = call('build', '--pull', '--build-arg', `NODE_IMAGE=${base}`, ...target, '.');
  if (built.status !== 0) return `${name} could not build it (${lastLine(built.stderr)})`;
  const missing = missingIn(() => call('manifest', 'inspect', tag).stdout, wanted);
  if (missing.length > 0) return `${name} made none for ${missing.join(' and ')}`;
  const file = join(folder, `svc-${version}-image.tar`);
  const saved = platforms
    ? call('manifest', 'push', '--all', tag, `oci-archive:${file}`)
    : call('save', '--output', file, tag);
  if (saved.status !== 0) return `${name} could not save it (${lastLine(saved.stderr)})`;
  writeFileSync(join(folder, `svc-${version}-image-base.txt`), `${base}\n`);
  return null;
}

/**
 * The digest under which the image is there for all wanted platforms. What was pulled also has one that is for this machine only.
 *
 * @param {(...args: string[]) => { stdout: string }} call
 * @param {string} image
 * @param {string[]} wanted
 */
function baseOf(call, image, wanted) {
  /** @type {string[]} */
  const digests = JSON.parse(call('image', 'inspect', '--format', '{{json .RepoDigests}}', image).stdout);
  return digests.find((digest) => missingIn(() => call('manifest', 'inspect', digest).stdout, wanted).length === 0);
}

/** The wanted platforms that are not in a manifest. @param {() => string} readManifest @param {string[]} wanted */
function missingIn(readManifest, wanted) {
  if (wanted.length === 0) return [];
  const { manifests = [] } = JSON.parse(readManifest() || '{}');
  const there = manifests.map(
    (/** @type {{ platform?: { os: string, architecture: string } }} */ { platform }) =>
      `${platform?.os}/${platform?.architecture}`,
  );
  return wanted.filter((platform) => !there.includes(platform));
}

function lastLine(/** @type {string} */ text) {
  return text.trim().split('\n').at(-1);
}
