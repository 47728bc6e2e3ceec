import { jobActor } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import { JobStopped, type Rest } from '../db/rest.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { findProgram } from '../programs/program-store.ts';
import { type StartedRun, startRun } from './make-run.ts';
import { claimSchedule, listDuePrograms, updateNextRun } from './payout-settings-store.ts';
import { prepareRun } from './prepare-run.ts';
import { listUnprepared, type RunRequest } from './run-store.ts';
import { nextRunAt } from './schedule.ts';

const BATCH = 100;
const EVERYBODY: RunRequest = {
  isScheduled: true,
  cutoffAt: null,
  currency: null,
  partnerIds: null,
  excludedPartnerIds: [],
  exclusionNotes: {},
};

/**
 * Prepares a draft for every program whose day has come, and tells those who may approve it. Each day is taken once, however many
 * nodes do it. Before each of them, it goes on with runs that were started, whose node may be gone. Returns how many drafts were made.
 */
export async function prepareScheduledRuns(ctx: Context, jobName: string, rest: Rest): Promise<number> {
  let made = 0;
  const failed = new Set<number>();
  const isDone = async (prepare: () => Promise<boolean>, named: { run: number } | { programId: number }) => {
    try {
      if (await prepare()) made += 1;
      return true;
    } catch (error) {
      if (error instanceof JobStopped) throw error;
      // Others are not kept waiting. It is due until it works.
      ctx.log.error({ err: error, ...named }, 'A payout run could not be prepared');
      return false;
    }
  };
  const goOn = async () => {
    for (const run of await listUnprepared(ctx.db)) {
      if (failed.has(run)) continue;
      if (!(await isDone(() => prepareRun(ctx, run, rest), { run }))) failed.add(run);
    }
  };
  await goOn();
  for (const programId of await listDuePrograms(ctx.db, ctx.now(), BATCH)) {
    // Somebody may wait for what was started meanwhile. Programs of the schedule may take long.
    await goOn();
    await isDone(() => prepareScheduled(ctx, programId, jobName, rest), { programId });
  }
  return made;
}

async function prepareScheduled(ctx: Context, programId: number, jobName: string, rest: Rest): Promise<boolean> {
  for (;;) {
    const started = await retryOnConflict(() => start(ctx, programId, jobName));
    if (!started || started.is === 'nobody') return false;
    await rest();
    const isPrepared = await prepareRun(ctx, started.id, rest);
    if (started.is === 'own') return isPrepared;
  }
}

/** Takes the day and starts the run, or neither. Null if there is nothing to take. */
function start(ctx: Context, programId: number, jobName: string): Promise<StartedRun | null> {
  return ctx.db.transaction(async (tx) => {
    const now = ctx.now();
    const day = await claimSchedule(tx, programId, now);
    if (day === null) return null;
    await updateNextRun(tx, programId, nextRunAt(day, now));
    const program = await findProgram(tx, programId);
    if (!program) return null;
    const started = await startRun(tx, ctx, program, EVERYBODY, jobActor(jobName));
    if (started.is === 'other') tx.rollBack();
    return started;
  });
}
