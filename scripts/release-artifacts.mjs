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

/**
 * Returns a line for each file, and for the image if it was left out.
 *
 * @param {string} version
 * @param {string} folder
 */
export function makeArtifacts(version, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  makeTarball(version, folder);
  makeBill(version, folder);
  const problem = makeImage(version, folder);
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

/** Everything that the service depends on, by name and version, in the form of CycloneDX. */
function makeBill(/** @type {string} */ version, /** @type {string} */ folder) {
  const args = [
    'sbom',
    '--sbom-format',
    'cyclonedx',
    '--sbom-type',
    'application',
    '--omit',
    'dev',
    '--workspace',
    'packages/server',
  ];
  const bill = execFileSync('npm', args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  writeFileSync(join(folder, `svc-${version}.cdx.json`), bill);
}

/** Why there is no image; null if there is one. */
function makeImage(/** @type {string} */ version, /** @type {string} */ folder) {
  const builder = ['podman', 'docker'].find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0);
  if (!builder) return 'neither podman nor docker is installed';
  const tag = `svc:${version}`;
  const built = spawnSync(builder, ['build', '--tag', tag, '.'], { cwd: ROOT, encoding: 'utf8' });
  if (built.status !== 0) return `${builder} could not build it (${built.stderr.trim().split('\n').at(-1)})`;
  execFileSync(builder, ['save', '--output', join(folder, `svc-${version}-image.tar`), tag], { stdio: 'ignore' });
  return null;
}
