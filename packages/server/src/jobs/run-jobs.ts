import type { Context } from '../context.ts';
import { runOnOneNode } from '../db/run-on-one-node.ts';
import { approveCommissions } from './approve-commissions.ts';
import { createPartitions } from './create-partitions.ts';
import type { Job } from './job.ts';
import { purgeEventContents } from './purge-event-contents.ts';
import { purgeLogins } from './purge-logins.ts';
import { repairCommissions } from './repair-commissions.ts';
import { rollUpCounts } from './roll-up-counts.ts';
import { vacuumEmbeddedStore } from './vacuum-embedded-store.ts';

export const jobs: Job[] = [
  createPartitions,
  rollUpCounts,
  approveCommissions,
  repairCommissions,
  vacuumEmbeddedStore,
  purgeLogins,
  purgeEventContents,
];

/** Runs a job now, unless another node is at it. A job that fails is logged and comes again at its next time. */
export async function runJob(ctx: Context, job: Job, onRun?: (job: string, result: string) => void): Promise<void> {
  try {
    const ran = await runOnOneNode(ctx.db, job.name, async () => {
      const did = await job.run(ctx);
      if (did) ctx.log.info({ job: job.name }, did);
    });
    onRun?.(job.name, ran ? 'done' : 'elsewhere');
  } catch (error) {
    ctx.log.error({ err: error, job: job.name }, 'A background job failed; it will be tried again');
    onRun?.(job.name, 'failed');
  }
}

/** Starts the clock of every job and of those that the configuration adds, the partitions first; the function it returns stops them and waits for what runs. */
export async function startJobs(
  ctx: Context,
  onRun: (job: string, result: string) => void,
  more: Job[] = [],
): Promise<() => Promise<void>> {
  await runJob(ctx, createPartitions, onRun);
  let stopped = false;
  const running = new Map<Job, Promise<void>>();
  const timers = [...jobs, ...more].map((job) =>
    setInterval(() => {
      if (stopped || running.has(job)) return;
      running.set(
        job,
        runJob(ctx, job, onRun).finally(() => running.delete(job)),
      );
    }, job.everySeconds * 1000).unref(),
  );
  return async () => {
    stopped = true;
    for (const timer of timers) clearInterval(timer);
    await Promise.all(running.values());
  };
}
