import { errors } from '@svc/contract';
import type { Actor } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { writeSent } from '../payouts/write-closed.ts';
import { auditRun, type PaidProgram } from './run-audit.ts';
import { listPayoutsOfRun } from './run-payout-store.ts';
import { lockRun, updateRunStatus, updateSettled } from './run-store.ts';

/** Marks an approved run as sent, and with it the payouts that its files hold. Those that no file holds stay open. */
export function sendRun(ctx: Context, program: PaidProgram, runId: number, actor: Actor): Promise<void> {
  return retryOnConflict(() =>
    ctx.db.transaction(async (tx) => {
      const run = await lockRun(tx, program.id, runId);
      if (!run) throw errors.notFound();
      if (run.status !== 'approved') throw errors.runIs(run.number, run.status, 'sent');
      const payouts = await listPayoutsOfRun(tx, run.id);
      const sent = payouts
        .filter(({ status, notInFile }) => status === 'open' && notInFile === null)
        .map(({ id }) => id);
      await writeSent(tx, ctx, program.id, sent);
      await updateRunStatus(tx, run.id, 'sent', ctx.now());
      await auditRun(tx, ctx, program, run, { action: 'payout_run.sent', actor, after: { payouts: sent.length } });
      await updateSettled(tx, [run.id], ctx.now());
    }),
  );
}
