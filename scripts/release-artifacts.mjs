// Makes the files of a release in a folder: the tarball of an installation, an image where a builder is there, a list of what is
// in them (SBOM), and their checksums.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stageRelease } from './stage-release.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SUMS = 'SHA256SUMS';
const BUILDERS = ['podman', 'docker'];

/**
 * Returns a line for each file, and for the image if it was left out.
 *
 * @param {string} version
 * @param {string} folder
 * @param {string[]} builders of images, of which the first that is installed is used
 */
export function makeArtifacts(version, folder, builders = BUILDERS) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  makeTarball(version, folder);
  makeBill(version, folder);
  const problem = makeImage(version, folder, builders);
  const names = readdirSync(folder).sort();
  const sums = names.map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')}  ${name}`,
  );
  writeFileSync(join(folder, SUMS), `${sums.join('\n')}\n`);
  return [...names, SUMS, ...(problem === null ? [] : [`no image: ${problem}`])];
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

/** Why there is no image; null if there is one. */
function makeImage(/** @type {string} */ version, /** @type {string} */ folder, /** @type {string[]} */ builders) {
  const builder = builders.find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0);
  if (!builder) return 'neither podman nor docker is installed';
  const tag = `svc:${version}`;
  const built = spawnSync(builder, ['build', '--tag', tag, '.'], { cwd: ROOT, encoding: 'utf8' });
  if (built.status !== 0) return `${builder} could not build it (${built.stderr.trim().split('\n').at(-1)})`;
  execFileSync(builder, ['save', '--output', join(folder, `svc-${version}-image.tar`), tag], { stdio: 'ignore' });
  return null;
}
