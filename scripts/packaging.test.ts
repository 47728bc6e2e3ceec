import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');
const { workspaces } = JSON.parse(read('package.json'));
const lock = JSON.parse(read('package-lock.json'));

it('the image is built with the manifest of every package that the lock file names', () => {
  const copied = [...read('Dockerfile').matchAll(/^COPY (\S+)\/package\.json /gm)].map(([, folder]) => folder);
  const isOwn = (path: string) =>
    workspaces.some((glob: string) => new RegExp(`^${glob.replace('*', '[^/]+')}$`).test(path));
  expect(copied.sort()).toEqual(Object.keys(lock.packages).filter(isOwn).sort());
});

// biome-ignore lint/suspicious/noExplicitAny: manifests of several kinds
const documents: any[] = parseAllDocuments(read('deploy/kubernetes/svc.yaml')).map((document) => document.toJS());
const ofKind = (kind: string) => documents.find((document) => document.kind === kind);

it('the manifests belong together', () => {
  expect(documents.map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`)).toEqual([
    'v1 ConfigMap svc',
    'v1 Secret svc',
    'apps/v1 Deployment svc',
    'v1 Service svc',
    'policy/v1 PodDisruptionBudget svc',
  ]);
  const { template, selector, replicas } = ofKind('Deployment').spec;
  expect(selector.matchLabels).toEqual(template.metadata.labels);
  expect(ofKind('Service').spec.selector).toEqual(template.metadata.labels);
  expect(ofKind('PodDisruptionBudget').spec.selector.matchLabels).toEqual(template.metadata.labels);
  expect(ofKind('PodDisruptionBudget').spec.minAvailable).toBeLessThan(replicas);
});

it('a pod has time to leave the service, to drain and to end', () => {
  const { terminationGracePeriodSeconds: grace, containers } = ofKind('Deployment').spec.template.spec;
  const [, waitMs] =
    /setTimeout\(\(\) => \{\}, (\d+)\)/.exec(containers[0].lifecycle.preStop.exec.command.join(' ')) ?? [];
  const drain = Number(ofKind('ConfigMap').data.SVC_DRAIN_SECONDS);
  // docs/operations.md: a node ends within 20 seconds after it has drained.
  expect(grace).toBeGreaterThanOrEqual(Number(waitMs) / 1000 + drain + 20);
});

it('a pod runs as compose.yaml runs a node, as the user of the image', () => {
  const node = parse(read('compose.yaml'))['x-node'];
  const { securityContext: pod, containers, volumes } = ofKind('Deployment').spec.template.spec;
  const { securityContext, volumeMounts } = containers[0];
  expect([node.read_only, node.cap_drop, node.security_opt, node.tmpfs]).toEqual([
    securityContext.readOnlyRootFilesystem,
    securityContext.capabilities.drop,
    [`no-new-privileges:${!securityContext.allowPrivilegeEscalation}`],
    volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath),
  ]);
  expect(volumes).toEqual([{ name: 'tmp', emptyDir: {} }]);
  // The user `node` of the base image.
  expect(read('Dockerfile')).toContain('\nUSER node\n');
  expect([pod.runAsNonRoot, pod.runAsUser]).toEqual([true, 1000]);
});

it('every node behind the proxy of compose.yaml has an address of its own, so that it is found again when it is replaced', () => {
  const { services, networks } = parse(read('compose.yaml'));
  const nodes = [...read('deploy/nginx.conf').matchAll(/^ +server ([\w-]+):4000 /gm)].map(([, name = '']) => name);
  const [{ subnet, ip_range: others }] = networks.inside.ipam.config;
  expect([nodes, subnet, others]).toEqual([['node-1', 'node-2'], '172.30.0.0/24', '172.30.0.128/25']);
  const addresses = nodes.map((name) => services[name].networks.inside.ipv4_address);
  expect(addresses).toEqual([expect.stringMatching(/^172\.30\.0\.1\d$/), expect.stringMatching(/^172\.30\.0\.1\d$/)]);
  expect(new Set(addresses).size).toBe(nodes.length);
});

it('every night runs commands that there are, the rehearsals of failovers and containers among them', () => {
  const { scripts } = JSON.parse(read('package.json'));
  const { include } = parse(read('.github/workflows/long.yml')).jobs.long.strategy.matrix;
  const commands = include.map(({ command }: { command: string }) => command);
  expect(commands).toEqual(expect.arrayContaining(['test:all', 'test:failover', 'test:containers']));
  expect(commands.filter((command: string) => !(command in scripts))).toEqual([]);
  const packagesOf = (name: string) =>
    include.find(({ command }: { command: string }) => command === name).packages.split(' ');
  // Without one of them, the rehearsal is left out.
  expect(packagesOf('test:containers')).toEqual(['podman', 'runc']);
  expect(packagesOf('test:failover')).toEqual(expect.arrayContaining(['patroni', 'etcd-server']));
});

it('every alert says when it fires, what that means and what to do', () => {
  const { groups } = parse(read('deploy/prometheus-alerts.yml'));
  const rules = groups.flatMap((group: { rules: object[] }) => group.rules);
  expect(rules.length).toBeGreaterThan(0);
  for (const rule of rules) {
    expect(rule).toMatchObject({
      alert: expect.stringMatching(/^[A-Z]\w+$/),
      expr: expect.any(String),
      annotations: { summary: expect.stringMatching(/\w$/), do: expect.stringMatching(/[.?]$/) },
    });
  }
});

it('systemd starts the service again two seconds after it has ended, however often', () => {
  const unit = read('deploy/svc.service');
  const sections = Object.fromEntries(
    unit.split(/^\[(\w+)\]$/m).flatMap((text, index, all) => (index % 2 ? [[text, all[index + 1]]] : [])),
  );
  expect(sections.Unit).toMatch(/^StartLimitIntervalSec=0$/m);
  expect(sections.Service).toMatch(/^Restart=always$/m);
  expect(sections.Service).toMatch(/^RestartSec=2$/m);
});

it('every machine that runs the tests installs the same programs for them', () => {
  const install = 'scripts/install-test-tools.sh';
  expect(read('.ci/run').split('\n').slice(-5)).toEqual([install, '', 'npm ci', 'npm test', '']);
  for (const workflow of ['test', 'long']) {
    const jobs: { steps: { run?: string }[] }[] = Object.values(parse(read(`.github/workflows/${workflow}.yml`)).jobs);
    for (const { steps } of jobs) expect(steps.map(({ run }) => run)).toContain(`sudo ${install}`);
  }
});
