import { jobActor } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/db.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { queueMailToAll } from '../mail/queue-mail.ts';
import { listApproverIds } from '../mail/recipient-store.ts';
import { findProgram } from '../programs/program-store.ts';
import { type MadeRun, writeRun } from './make-run.ts';
import { claimSchedule, listDuePrograms, updateNextRun } from './payout-settings-store.ts';
import type { PaidProgram } from './run-audit.ts';
import type { RunRequest } from './run-store.ts';
import { nextRunAt } from './schedule.ts';

const BATCH = 100;
const EVERYBODY: RunRequest = {
  cutoffAt: null,
  currency: null,
  partnerIds: null,
  excludedPartnerIds: [],
  exclusionNotes: {},
};

/**
 * Prepares a draft for every program whose day has come, and tells those who may approve it. Each day is taken once, however many
 * nodes do it. Returns how many drafts were made.
 */
export async function prepareScheduledRuns(ctx: Context, jobName: string): Promise<number> {
  let made = 0;
  for (const programId of await listDuePrograms(ctx.db, ctx.now(), BATCH)) {
    try {
      if (await prepareRun(ctx, programId, jobName)) made += 1;
    } catch (error) {
      // Others are not kept waiting. It is due until it works.
      ctx.log.error({ err: error, programId }, 'A scheduled payout run could not be prepared');
    }
  }
  return made;
}

function prepareRun(ctx: Context, programId: number, jobName: string): Promise<boolean> {
  return retryOnConflict(() =>
    ctx.db.transaction(async (tx) => {
      const now = ctx.now();
      const day = await claimSchedule(tx, programId, now);
      if (day === null) return false;
      await updateNextRun(tx, programId, nextRunAt(day, now));
      const program = await findProgram(tx, programId);
      if (!program) return false;
      const run = await writeRun(tx, ctx, program, EVERYBODY, jobActor(jobName));
      if (run.isMade) await tellApprovers(tx, ctx, program, run);
      return run.isMade;
    }),
  );
}

async function tellApprovers(
  tx: Transaction,
  ctx: Context,
  { id: programId, workspaceId }: PaidProgram,
  { id: runId, number, totals, leftOut }: Extract<MadeRun, { isMade: true }>,
): Promise<void> {
  const fields = {
    runId,
    number,
    totals: totals.map(({ currency, amountCents, payouts }) => ({
      currency,
      amountCents: Number(amountCents),
      payouts,
    })),
    leftOut,
  };
  const approvers = await listApproverIds(tx, workspaceId);
  await queueMailToAll(tx, ctx, approvers, { kind: 'payout_run_ready', cause: String(runId), fields, programId });
}
