import { errors } from '@svc/contract';
import type { Actor } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { writeCancelled } from '../payouts/write-closed.ts';
import { auditRun, type PaidProgram } from './run-audit.ts';
import { listPayoutsOfRun } from './run-payout-store.ts';
import { lockRun, updateRunStatus } from './run-store.ts';

/** Cancels a run that is not sent yet. What its payouts cover is due again. Partners hear of it if they had heard of the payout. */
export function cancelRun(ctx: Context, program: PaidProgram, runId: number, actor: Actor): Promise<void> {
  return retryOnConflict(() =>
    ctx.db.transaction(async (tx) => {
      const run = await lockRun(tx, program.id, runId);
      if (!run) throw errors.notFound();
      if (run.status !== 'draft' && run.status !== 'approved') throw errors.runIs(run.number, run.status, 'cancelled');
      const payouts = await listPayoutsOfRun(tx, run.id);
      const paid = payouts.filter(({ status }) => status === 'paid');
      if (paid.length > 0) throw errors.runPartlyPaid(run.number, paid.length);
      const open = payouts.filter(({ status }) => status === 'open').map(({ id }) => id);
      const commissions = await writeCancelled(tx, ctx, program.id, open, { isTold: run.status === 'approved' });
      await updateRunStatus(tx, run.id, 'cancelled', ctx.now());
      const after = { payouts: open.length, commissions, was: run.status };
      await auditRun(tx, ctx, program, run, { action: 'payout_run.cancelled', actor, after });
    }),
  );
}
