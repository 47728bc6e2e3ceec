// Runs the service in containers with podman: the image of the Dockerfile on a read-only file system as compose.yaml does it, and
// the manifests of deploy/kubernetes with `podman play kube`. Without podman and runc it says so and ends well,
// unless nothing may be left out.
//
// The base image is pulled from a registry if there is one. Otherwise one is made of Node and the few programs of this machine that
// the Dockerfile needs, so what is not tested then is the base image. compose.yaml as a whole needs images from a registry.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort, startPostgres } from '@svc/testkit';
import { mustLeaveNothingOut } from '../left-out.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const IMAGE = 'localhost/svc-test';
const BASE = 'localhost/svc-test-base';
const READY_MS = 180_000;

const missing = ['podman', 'runc'].filter((name) => spawnSync('which', [name]).status !== 0);
if (missing.length > 0) {
  console.log(`Skipped: ${missing.join(', ')} is not installed. On Debian: apt-get install podman runc`);
  process.exit(mustLeaveNothingOut() ? 1 : 0);
}

const work = mkdtempSync(join(tmpdir(), 'svc-container-'));
// Where this runs in a container itself, the defaults are higher than what may be asked for.
writeFileSync(
  join(work, 'containers.conf'),
  '[containers]\ndefault_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]\n',
);

function podman(...args: string[]): string {
  const env = { ...process.env, CONTAINERS_CONF: join(work, 'containers.conf') };
  return execFileSync('podman', ['--runtime', 'runc', ...args], {
    cwd: work,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

try {
  const base = buildImage();
  console.log(`Built the image on ${base}.`);
  await runAsCompose();
  console.log('Ran the image as compose.yaml does: read-only, unprivileged, healthy, stopped and started again.');
  await playManifests();
  console.log('Ran deploy/kubernetes with podman play kube: ready on Postgres, and ended in time.');
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Builds the last stage of the Dockerfile with the files of this working tree. */
function buildImage(): string {
  const [, original = '', stage = ''] =
    /\nARG NODE_IMAGE=(\S+)\n[\s\S]*\nFROM \$\{NODE_IMAGE\}\n((?:(?!\nFROM )[\s\S])*)$/.exec(
      readFileSync(join(ROOT, 'Dockerfile'), 'utf8'),
    ) ?? [];
  const isPulled =
    spawnSync('podman', ['pull', '--quiet', original], { stdio: 'ignore', timeout: 120_000 }).status === 0;
  if (!isPulled) buildBase();
  const copied = stage.replace('COPY --from=build --chown=root:root /release ./', 'COPY --chown=root:root release ./');
  if (copied === stage) throw new Error('The Dockerfile no longer copies /release');
  execFileSync(process.execPath, [join(ROOT, 'scripts/stage-release.mjs'), join(work, 'release')]);
  writeFileSync(join(work, 'Dockerfile'), `FROM ${isPulled ? original : BASE}\n${copied}`);
  // The other format knows no health checks. In a chroot, the build asks for no higher limits either.
  podman('build', '--isolation', 'chroot', '--format', 'docker', '--tag', IMAGE, '.');
  return isPulled ? original : `Node ${process.version} of this machine`;
}

/** Node, a shell and `install`, with the libraries that they load. */
function buildBase(): void {
  const folder = join(work, 'base');
  const programs = {
    '/usr/local/bin/node': process.execPath,
    '/bin/sh': which('sh'),
    '/usr/bin/install': which('install'),
  };
  const files: Record<string, string> = Object.fromEntries(
    Object.entries(programs).map(([target, path]) => [target, realpathSync(path)]),
  );
  for (const path of Object.values(programs)) {
    const lines = execFileSync('ldd', [path], { encoding: 'utf8' }).split('\n');
    for (const library of lines.flatMap((line) => /(\/\S+)/.exec(line)?.[1] ?? []))
      files[library] = realpathSync(library);
  }
  for (const [target, path] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(target)), { recursive: true });
    execFileSync('cp', [path, join(folder, target)]);
  }
  mkdirSync(join(folder, 'etc'), { recursive: true });
  mkdirSync(join(folder, 'tmp'), { mode: 0o1777 });
  writeFileSync(join(folder, 'etc/passwd'), 'root:x:0:0::/:/bin/sh\nnode:x:1000:1000::/tmp:/bin/sh\n');
  writeFileSync(join(folder, 'etc/group'), 'root:x:0:\nnode:x:1000:\n');
  writeFileSync(join(folder, 'Dockerfile'), 'FROM scratch\nCOPY . /\nENV PATH=/usr/local/bin:/usr/bin:/bin\n');
  podman('build', '--tag', BASE, folder);
}

function which(name: string): string {
  return execFileSync('which', [name], { encoding: 'utf8' }).trim();
}

/** With the embedded store in a volume, and the restrictions of compose.yaml. */
async function runAsCompose(): Promise<void> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const name = `svc-test-${port}`;
  const restrictions = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
  const settings = [
    '--network',
    'host',
    '--env',
    `PORT=${port}`,
    '--env',
    'HOST=127.0.0.1',
    '--volume',
    `${name}:/data`,
  ];
  podman('run', '--detach', '--name', name, ...restrictions, ...settings, IMAGE);
  try {
    await untilReady(url, name);
    podman('healthcheck', 'run', name);
    const who = podman('exec', name, 'node', '-p', 'process.getuid()').trim();
    if (who !== '1000') throw new Error(`The service runs as user ${who}`);
    const writes = spawnSync('podman', ['exec', name, 'node', '-e', `require('fs').writeFileSync('/app/file', '')`]);
    if (writes.status === 0) throw new Error('The service can change its own files');
    const setup = podman('exec', name, 'node', 'packages/server/dist/bin/svc-server.js', 'setup', '--json');
    for (const path of ['/', '/docs', '/docs/guide/dashboard', '/packages.json', '/openapi.json'])
      await expectStatus(`${url}${path}`, 200);
    await click(url, JSON.parse(setup).short_link);
    const from = performance.now();
    podman('stop', '--time', '30', name);
    const exit = podman('inspect', '--format', '{{.State.ExitCode}}', name).trim();
    if (exit !== '0')
      throw new Error(`The container ended with ${exit} after ${Math.round(performance.now() - from)} ms`);
    podman('start', name);
    await untilReady(url, name);
    await click(url, JSON.parse(setup).short_link);
  } finally {
    podman('rm', '--force', '--time', '1', name);
    podman('volume', 'rm', '--force', name);
  }
}

/**
 * One pod of the Deployment, in the network of this machine. What podman cannot do is left out: it makes no Service and no
 * PodDisruptionBudget, 4.3 cannot read a Secret of a manifest, there are no ports to publish in the network of the machine, and
 * probes over HTTP run curl in the container, which the image does not have.
 */
async function playManifests(): Promise<void> {
  const postgres = await startPostgres();
  const [port, metricsPort] = [await freePort(), await freePort()];
  const settings = {
    PORT: port,
    DATABASE_URL: await postgres.createDatabase('svc'),
    SVC_SECRET: 'a secret for the manifests, long enough to pass',
  };
  const lines = Object.entries(settings).map(([name, value]) => `  ${name}: '${value}'\n`);
  const manifest = readFileSync(join(ROOT, 'deploy/kubernetes/svc.yaml'), 'utf8')
    .split('---\n')
    .filter((document) => /^kind: (ConfigMap|Deployment)$/m.test(document))
    .join('---\n')
    .replace('\ndata:\n', `\ndata:\n${lines.join('')}`)
    .replace(/ +- secretRef: .*\n/, '')
    .replace(/ {10}(?:ports|livenessProbe):\n(?: {12}.*\n)+/g, '')
    .replace(/replicas: .*/, 'replicas: 1')
    .replace(/image: .*/, `image: ${IMAGE}`)
    .replaceAll('4000', String(port))
    .replaceAll('9100', String(metricsPort));
  const file = join(work, 'kube.yaml');
  writeFileSync(file, manifest);
  try {
    podman('play', 'kube', '--network', 'host', file);
    await untilReady(`http://127.0.0.1:${port}`, 'svc-pod-0-svc');
    await expectStatus(`http://127.0.0.1:${metricsPort}/metrics`, 200);
    podman('play', 'kube', '--down', file);
  } finally {
    spawnSync('podman', ['pod', 'rm', '--force', 'svc-pod-0'], { stdio: 'ignore' });
    await postgres.remove();
  }
}

async function untilReady(url: string, container: string): Promise<void> {
  const deadline = performance.now() + READY_MS;
  while (performance.now() < deadline) {
    const status = await fetch(`${url}/readyz`).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) return;
    await sleep(200);
  }
  throw new Error(`Not ready after ${READY_MS / 1000} seconds:\n${podman('logs', '--tail', '20', container)}`);
}

async function expectStatus(url: string, wanted: number): Promise<void> {
  const { status } = await fetch(url);
  if (status !== wanted) throw new Error(`${url} answered ${status}`);
}

async function click(url: string, shortLink: string): Promise<void> {
  const body = JSON.stringify({ affiliate_url: `https://example.com/?aff=${shortLink}` });
  const { status } = await fetch(`${url}/api/v1/track/click`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  if (status !== 200) throw new Error(`A click was answered ${status}`);
}
