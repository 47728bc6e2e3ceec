import type { Context } from '../context.ts';
import { onlyOnce } from '../db/only-once.ts';
import { approveCommissions } from './approve-commissions.ts';
import { foldCounts } from './fold-counts.ts';
import { forgetEventContents } from './forget-event-contents.ts';
import { forgetLogins } from './forget-logins.ts';
import type { Job } from './job.ts';
import { makePartitions } from './make-partitions.ts';
import { repairCommissions } from './repair-commissions.ts';
import { tidyEmbeddedStore } from './tidy-embedded-store.ts';

export const jobs: Job[] = [
  makePartitions,
  foldCounts,
  approveCommissions,
  repairCommissions,
  tidyEmbeddedStore,
  forgetLogins,
  forgetEventContents,
];

/** Runs a job now, unless another node is at it. A job that fails is logged and comes again at its next time. */
export async function runJob(ctx: Context, job: Job, onRun?: (job: string, result: string) => void): Promise<void> {
  try {
    const ran = await onlyOnce(ctx.db, job.name, async () => {
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
  await runJob(ctx, makePartitions, onRun);
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
