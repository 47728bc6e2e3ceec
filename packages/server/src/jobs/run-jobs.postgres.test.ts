import { eventually } from '@svc/testkit/service/eventually.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Job } from './job.ts';
import { startJobs } from './run-jobs.ts';

const service = useService();

/** More than there are connections. */
const JOBS = 15;
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
    started.push(this.name);
    await isFinishable;
    await ctx.db.query('select 1');
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
    (count) => count >= 3,
  );
  // None of them is done, and each has connections of its own.
  expect(finished).toEqual([]);
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => service.ctx.db.transaction((tx) => tx.query('select 1 as one'))),
  );
  expect(answers).toEqual(Array(4).fill([{ one: 1 }]));
  finish();
  await eventually(
    () => finished.length,
    (count) => count >= JOBS,
  );
  expect(new Set(finished).size).toBe(JOBS);
});
