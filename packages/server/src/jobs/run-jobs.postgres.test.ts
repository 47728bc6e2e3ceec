import { eventually } from '@svc/testkit/service/eventually.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { emptyPostgres, openDatabase } from '@svc/testkit/service/stores/store.ts';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createMetrics, measureJobs } from '../metrics.ts';
import type { Job } from './job.ts';
import { jobs, runJob, startJobs } from './run-jobs.ts';

const service = useService();

/** More than there are connections, of which jobs take so many at most. */
const JOBS = 15;
const CONNECTIONS = 10;
const TAKEN_BY_JOBS = 3;
const started: string[] = [];
const finished: string[] = [];
let finish = () => {};
const isFinishable = new Promise<void>((resolve) => {
  finish = resolve;
});
let stop = async () => {};

const job = (_: unknown, index: number): Job => ({
  name: `job-${index}`,
  everySeconds: 0.001,
  async run(ctx) {
    if (finished.includes(this.name)) return null;
    await ctx.db.transaction(async (tx) => {
      await tx.query('select 1');
      started.push(this.name);
      await isFinishable;
    });
    finished.push(this.name);
    return null;
  },
});

beforeAll(async () => {
  stop = await startJobs(service.ctx, () => {}, Array.from({ length: JOBS }, job));
});
afterAll(() => stop());

it('leaves connections for requests when all jobs are due at once, and runs every one of them', async () => {
  await eventually(
    () => started.length,
    (count) => count >= TAKEN_BY_JOBS,
  );
  // Each of them keeps its connection. Requests have all others, at the same time.
  const forRequests = CONNECTIONS - TAKEN_BY_JOBS;
  let open = 0;
  let goOn = () => {};
  const areAllOpen = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const request = () =>
    service.ctx.db.transaction(async (tx) => {
      const rows = await tx.query('select 1 as one');
      open += 1;
      if (open === forRequests) goOn();
      await areAllOpen;
      return rows;
    });
  const answers = await Promise.all(Array.from({ length: forRequests }, request));
  expect(answers).toEqual(Array(forRequests).fill([{ one: 1 }]));
  expect(finished).toEqual([]);
  finish();
  await eventually(
    () => finished.length,
    (count) => count >= JOBS,
  );
  expect(new Set(finished).size).toBe(JOBS);
});

it('all jobs of the service can start in one tick, every one of them succeeds, and the driver has nothing to warn of', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const results = new Map<string, string>();
  const stopAll = await startJobs(
    service.ctx,
    (name, result) => results.set(name, result),
    jobs,
    () => 0,
  );
  const answers = new Set<number>();
  const ready = async () => answers.add((await service.call('GET', '/readyz')).status);
  await eventually(ready, () => results.size === jobs.length);
  await stopAll();
  expect(Object.fromEntries(results)).toEqual(Object.fromEntries(jobs.map(({ name }) => [name, 'done'])));
  expect(answers).toEqual(new Set([200]));
  expect(warnings).toEqual([]);
});

it('notes when a job last succeeded, from the start of the node on, and not when it fails or runs elsewhere', async () => {
  const { ctx } = service;
  const metrics = createMetrics(
    { isStoreReady: async () => true, inboxAge: async () => 0, replica: () => null },
    ctx.now,
  );
  const failing: Job = { name: 'failing', everySeconds: 3600, run: () => Promise.reject(new Error('no')) };
  const working: Job = { name: 'working', everySeconds: 60, run: async () => null };
  const started = service.time.getTime() / 1000;
  const onRun = measureJobs(metrics, [failing, working], ctx.now);
  const samples = async () =>
    (await metrics.registry.metrics()).split('\n').filter((line) => /^svc_job_(?!interval)/.test(line));
  service.advance({ seconds: 90 });
  await ctx.db.onOneNode('working', () => runJob(ctx, working, onRun));
  expect(await samples()).toEqual([
    'svc_job_runs_total{job="working",result="elsewhere"} 1',
    `svc_job_last_success_timestamp_seconds{job="failing"} ${started}`,
    `svc_job_last_success_timestamp_seconds{job="working"} ${started}`,
  ]);
  await runJob(ctx, failing, onRun);
  await runJob(ctx, working, onRun);
  expect(await samples()).toEqual([
    'svc_job_runs_total{job="working",result="elsewhere"} 1',
    'svc_job_runs_total{job="failing",result="failed"} 1',
    'svc_job_runs_total{job="working",result="done"} 1',
    `svc_job_last_success_timestamp_seconds{job="failing"} ${started}`,
    `svc_job_last_success_timestamp_seconds{job="working"} ${started + 90}`,
  ]);
});

it('stops a job when the connection that holds its lock is lost, and another node can run it', async () => {
  const url = await emptyPostgres();
  const [here, there] = [openDatabase(url), openDatabase(url)];
  onTestFinished(async () => void (await Promise.all([here.close(), there.close()])));
  let slices = 0;
  const endless: Job = {
    name: 'endless',
    everySeconds: 1,
    async run({ db }) {
      for (;;) {
        await db.transaction((tx) => tx.query('select 1'));
        await db.untimed.query('select 1');
        slices += 1;
      }
    },
  };
  let isTakenOver = false;
  const takeOver: Job = {
    ...endless,
    async run() {
      isTakenOver = true;
      return null;
    },
  };
  const running = runJob({ ...service.ctx, db: here }, endless);
  await eventually(
    () => slices,
    (count) => count > 3,
  );
  await runJob({ ...service.ctx, db: there }, takeOver);
  expect(isTakenOver).toBe(false);
  await there.query(
    `select pg_terminate_backend(l.pid) from pg_locks l join pg_database d on d.oid = l.database
     where l.locktype = 'advisory' and d.datname = current_database()`,
  );
  // It has no other end.
  await running;
  await eventually(
    () => runJob({ ...service.ctx, db: there }, takeOver),
    () => isTakenOver,
  );
  expect(isTakenOver).toBe(true);
});
