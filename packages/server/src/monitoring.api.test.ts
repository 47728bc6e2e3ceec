import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { TestService } from '@svc/testkit/service/service.ts';
import { newPostgres } from '@svc/testkit/service/stores/store.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { jobs } from './jobs/run-jobs.ts';
import { createDesk } from './workers/desk.ts';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8');

// Everything that only some installations have is set up: mail, a replica, jobs, and the supervisor of workers.
const service = new TestService();
let text = '';
beforeAll(async () => {
  const url = await newPostgres();
  const mail = { SVC_SMTP_URL: 'smtp://127.0.0.1:9', SVC_MAIL_FROM: 'Acme <partners@acme.test>' };
  const env = { DATABASE_URL: url, SVC_REPORTS_DATABASE_URL: url, SVC_BASE_URL: 'http://track.test', ...mail };
  await service.open(env, { runJobs: true });
  const { link } = await service.program();
  await service.click({ affiliate_url: `https://acme.test/?aff=${link}` });
  await service.click({});
  text = (await service.call('GET', '/metrics')).text + (await metricsOfSupervisor());
});
afterAll(() => service.service?.close());

const metricsOfSupervisor = () =>
  new Promise<string>((resolve) => {
    const line = { send: (message: object) => 'text' in message && resolve(message.text as string) };
    createDesk().answer(line, { is: 'scrape' });
  });

const families = () => [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => ({ name, type }));

/** The names that can be queried. */
const queryable = () =>
  families().flatMap(({ name, type }) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );

/** The labels of a series, as Prometheus stores them: it has a `job` of its own. Null as long as it has no samples. */
function labelsOf(series: string): string[] | null {
  const samples = [...text.matchAll(new RegExp(`^${series}(\\{.*\\})? \\S+$`, 'gm'))];
  const own = samples.flatMap(([, labels = '']) =>
    [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label as string),
  );
  return samples.length === 0 ? null : own.map((label) => (label === 'job' ? 'exported_job' : label));
}

type Panel = { title: string; targets: { expr: string }[] };
const rules = [...read('deploy/prometheus-alerts.yml').matchAll(/- alert: (.+)\n +expr: (.+)/g)];
const { panels }: { panels: Panel[] } = JSON.parse(read('deploy/grafana-dashboard.json'));
/** What the alerts and the panels ask Prometheus for. What it knows of the nodes by itself is left out. */
const queries = [
  ...rules.map(([, alert = '', expr = '']) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
].filter(([, expr]) => !expr.startsWith('up{'));

const seriesIn = (expr: string) => expr.match(/\b(svc|process|nodejs)_\w+/g) ?? [];

it('alerts and panels ask for metrics that the nodes have', () => {
  expect(queries.filter(([, expr]) => seriesIn(expr).length === 0)).toEqual([]);
  const known = queryable();
  const unknown = queries.map(([name, expr]) => [name, seriesIn(expr).filter((series) => !known.includes(series))]);
  expect(unknown.filter(([, series]) => series?.length)).toEqual([]);
});

it('alerts and panels use labels that the metrics have', () => {
  for (const [name, expr] of queries) {
    const known = seriesIn(expr).map(labelsOf);
    // A metric shows its labels once something was counted.
    if (known.includes(null)) continue;
    const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/,\s*/));
    const matched = [...expr.matchAll(/[{,]\s*(\w+)\s*[=!]/g)].map(([, label]) => label as string);
    const unknown = [...grouped, ...matched].filter((label) => !known.flat().includes(label));
    expect({ name, unknown }).toEqual({ name, unknown: [] });
  }
});

it('every metric of the service is described in docs/operations.md, and no other', () => {
  const documented = new Set(read('docs/operations.md').match(/(?<=`)svc_[a-z_]+(?=`)/g));
  const served = families().flatMap(({ name }) => (name.startsWith('svc_') ? [name] : []));
  expect([...documented].sort()).toEqual(served.sort());
});

it('every job has its interval and its last success, which is the start of the node until it has run', () => {
  const at = service.time.getTime() / 1000;
  const lines = text.split('\n');
  for (const { name, everySeconds } of jobs) {
    expect(lines).toContain(`svc_job_last_success_timestamp_seconds{job="${name}"} ${at}`);
    expect(lines).toContain(`svc_job_interval_seconds{job="${name}"} ${everySeconds}`);
  }
});
