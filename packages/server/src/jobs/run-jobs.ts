import { setTimeout } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { JobStopped, type Rest } from '../db/rest.ts';
import { untilAborted } from '../db/until-aborted.ts';
import { applyScheduledTerms, moveByTiers } from './apply-terms.ts';
import { approveCommissions } from './approve-commissions.ts';
import { createPartitions } from './create-partitions.ts';
import { disableFailingWebhooks } from './disable-failing-webhooks.ts';
import type { Job } from './job.ts';
import { preparePayoutRuns } from './prepare-payout-runs.ts';
import { proveBooks } from './prove-books.ts';
import { purgeIdempotencyKeys } from './purge-idempotency-keys.ts';
import { purgeLogins } from './purge-logins.ts';
import { purgeMails } from './purge-mails.ts';
import { purgePostbackCalls } from './purge-postback-calls.ts';
import { purgeRefusedCalls } from './purge-refused-calls.ts';
import { queueDigests } from './queue-digests.ts';
import { repairCommissions } from './repair-commissions.ts';
import { rollUpCounts } from './roll-up-counts.ts';
import { rollUpFacets } from './roll-up-facets.ts';
import { vacuumEmbeddedStore } from './vacuum-embedded-store.ts';
import { watchPrograms } from './watch-programs.ts';

export const jobs: Job[] = [
  createPartitions,
  rollUpCounts,
  rollUpFacets,
  approveCommissions,
  repairCommissions,
  applyScheduledTerms,
  moveByTiers,
  preparePayoutRuns,
  vacuumEmbeddedStore,
  purgeLogins,
  purgeIdempotencyKeys,
  purgeRefusedCalls,
  purgeMails,
  purgePostbackCalls,
  queueDigests,
  disableFailingWebhooks,
  watchPrograms,
  proveBooks,
];

/**
 * Runs a job now, unless another node is running it. A failure is logged, and the job runs again at its next interval. When the
 * connection that keeps other nodes from running it is lost, it stops.
 */
export async function runJob(
  ctx: Context,
  job: Job,
  onRun?: (job: string, result: string) => void,
  rest?: Rest,
): Promise<void> {
  try {
    const ran = await ctx.db.onOneNode(job.name, async (lost) => {
      const summary = await job.run({ ...ctx, db: untilAborted(ctx.db, lost, () => new JobStopped()) }, rest);
      if (summary) ctx.log.info({ job: job.name }, summary);
    });
    onRun?.(job.name, ran ? 'done' : 'elsewhere');
  } catch (error) {
    if (error instanceof JobStopped) return;
    ctx.log.error({ err: error, job: job.name }, 'A background job failed; it will be retried');
    onRun?.(job.name, 'failed');
  }
}

/** How many jobs run at the same time on a node, so that the other connections are for requests, whatever is due. */
const MAX_AT_ONCE = 3;

/**
 * Creates the partitions, then schedules every job; `phase` says after which part of its interval it starts. The returned
 * function stops them and waits for running ones.
 */
export async function startJobs(
  ctx: Context,
  onRun: (job: string, result: string) => void,
  scheduled: Job[] = jobs,
  phase: () => number = Math.random,
): Promise<() => Promise<void>> {
  const untimed = { ...ctx, db: ctx.db.untimed };
  await runJob(untimed, createPartitions, onRun);
  const stopping = new AbortController();
  const running = new Map<Job, Promise<void>>();
  const restsUntil = new Map<Job, number>();
  const whenFree = limitTo(MAX_AT_ONCE);

  function start(job: Job): void {
    if (running.has(job) || performance.now() < (restsUntil.get(job) ?? 0)) return;
    const run = whenFree(async () => {
      if (stopping.signal.aborted) return;
      const pace = startWork(job, stopping.signal);
      await runJob(untimed, job, onRun, pace.rest);
      restsUntil.set(job, performance.now() + pace.owedRestMs());
    }).finally(() => running.delete(job));
    running.set(job, run);
  }

  /** Jobs with the same interval do not start together, and neither do nodes that were started together. */
  function schedule(job: Job): () => void {
    const everyMs = job.everySeconds * 1000;
    let timer = setInterval(() => {
      clearInterval(timer);
      timer = setInterval(() => start(job), everyMs).unref();
      start(job);
    }, phase() * everyMs).unref();
    return () => clearInterval(timer);
  }

  const cancellations = scheduled.map(schedule);
  return async () => {
    stopping.abort();
    for (const cancel of cancellations) cancel();
    await Promise.all(running.values());
  };
}

/** Measures how long the job works between rests. */
function startWork({ rests = 0 }: Job, stopping: AbortSignal): { rest: Rest; owedRestMs: () => number } {
  let since = performance.now();
  const owedRestMs = () => (performance.now() - since) * rests;
  return {
    owedRestMs,
    async rest() {
      await setTimeout(owedRestMs(), undefined, { signal: stopping }).catch(() => {
        throw new JobStopped();
      });
      since = performance.now();
    },
  };
}

/** Runs so many pieces of work at once, and the others as soon as one of them ends. */
function limitTo(count: number): (work: () => Promise<void>) => Promise<void> {
  const waiting: (() => void)[] = [];
  let free = count;
  return async (work) => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
    try {
      await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
