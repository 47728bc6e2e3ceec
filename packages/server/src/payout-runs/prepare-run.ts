import { takeDue } from '../commissions/payout-coverage-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/db.ts';
import type { Rest } from '../db/rest.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { queueMailToAll } from '../mail/queue-mail.ts';
import { listApproverIds } from '../mail/recipient-store.ts';
import { announceMany } from '../outbox/announce.ts';
import { lockPayableMethods } from '../payout-methods/payout-method-store.ts';
import { PAYOUT_ROWS } from '../payouts/payout-list-store.ts';
import { insertPayouts } from '../payouts/payout-store.ts';
import { chooseSlice } from './choose-slice.ts';
import { auditRun } from './run-audit.ts';
import { findRunSummary } from './run-list-store.ts';
import { listPayoutIds } from './run-payout-store.ts';
import {
  deleteRun,
  insertOmissions,
  isRunPrepared,
  lockUnprepared,
  type UnpreparedRun,
  updatePreparation,
  updatePrepared,
} from './run-store.ts';

/**
 * Prepares a run that was started, slice by slice, until everybody is in it. It does not matter who started it, and several can do
 * so at the same time: a slice is taken, written and noted in one transaction. Returns whether there is such a run in the end. It is
 * deleted if others have paid everybody meanwhile.
 */
export async function prepareRun(ctx: Context, runId: number, rest: Rest): Promise<boolean> {
  for (let isMore = true; isMore; ) {
    isMore = await retryOnConflict(() => ctx.db.transaction((tx) => takeStep(tx, ctx, runId)));
    if (isMore) await rest();
  }
  return isRunPrepared(ctx.db, runId);
}

/** The next slice, or the end. Returns whether there is more to do. */
async function takeStep(tx: Transaction, ctx: Context, runId: number): Promise<boolean> {
  const run = await lockUnprepared(tx, runId);
  if (!run) return false;
  if (!run.preparation.isChosen) {
    await writeSlice(tx, ctx, run);
    return true;
  }
  await finish(tx, ctx, run);
  return false;
}

/** Chooses among what is due to the next partners now. A commission that changes meanwhile undoes the slice, which is chosen again. */
async function writeSlice(tx: Transaction, ctx: Context, run: UnpreparedRun): Promise<void> {
  const now = ctx.now();
  const { minimumCents, afterPartnerId } = run.preparation;
  const slice = await chooseSlice(tx, { ...run, minimumCents }, afterPartnerId, lockPayableMethods, now);
  const { payouts, leftOut } = slice.choice;
  await takeDue(
    tx,
    payouts.flatMap(({ covered }) => covered),
  );
  const parts = payouts.map(({ method, ...payout }) => ({
    ...payout,
    part: { runId: run.id, methodId: method.methodId, methodKind: method.kind, methodMasked: method.masked },
  }));
  await insertPayouts(tx, run.programId, parts, now);
  await insertOmissions(tx, run.id, leftOut);
  const { partnersDone = 0 } = run.preparation;
  const preparation = {
    ...run.preparation,
    afterPartnerId: slice.afterPartnerId,
    isChosen: slice.isLast,
    partnersDone: partnersDone + slice.partnerCount,
  };
  await updatePreparation(tx, run.id, preparation);
}

/** Shows the run to everybody, and tells of it. */
async function finish(tx: Transaction, ctx: Context, run: UnpreparedRun): Promise<void> {
  const { id, programId, workspaceId, cutoffAt, actor } = run;
  const payoutIds = await listPayoutIds(tx, id);
  if (payoutIds.length === 0) return deleteRun(tx, id);
  await updatePrepared(tx, id, ctx.now());
  const events = payoutIds.map((payoutId) => ({ type: 'payout.created' as const, programId, id: payoutId }));
  await announceMany(ctx, tx, [{ rows: PAYOUT_ROWS, events }]);
  const { totals, left_out_count: leftOut } = (await findRunSummary(tx, programId, id))!;
  const after = {
    totals: totals.map((total) => ({ ...total, amount_cents: String(total.amount_cents) })),
    left_out: leftOut,
    cutoff_at: cutoffAt,
  };
  await auditRun(tx, ctx, { id: programId, workspaceId }, run, { action: 'payout_run.made', actor, after });
  if (actor.kind !== 'job') return;
  // Nobody waits for what the schedule makes.
  const fields = {
    runId: id,
    number: run.number,
    totals: totals.map((total) => ({
      currency: total.currency,
      amountCents: Number(total.amount_cents),
      payouts: total.payouts,
    })),
    leftOut,
  };
  const approvers = await listApproverIds(tx, workspaceId);
  await queueMailToAll(tx, ctx, approvers, { kind: 'payout_run_ready', cause: String(id), fields, programId });
}
