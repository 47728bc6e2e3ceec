import { errors, type PayoutRow } from '@svc/contract';
import { type Actor, type AuditEvent, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/db.ts';
import { EVERYONE } from '../db/lists/list-query.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { findPayout } from '../payouts/payout-list-store.ts';
import { type LockedPayout, lockPayouts, type PayoutStatus } from '../payouts/payout-store.ts';
import { writeCancelled, writePaid, writeUnpaid } from '../payouts/write-closed.ts';
import { closingProblem } from './closing.ts';
import type { PaidProgram } from './run-audit.ts';
import { type LockedRun, lockRunsOfPayouts, updateSettled } from './run-store.ts';

/** How the money was sent, and who says so. */
export type Payment = { reference: string | null; actor: Actor };

/** Marks an open or sent payout as paid; the commissions it covers in full become paid with it. */
export function markPaid(ctx: Context, program: PaidProgram, payoutId: number, payment: Payment): Promise<PayoutRow> {
  return closeOne(ctx, program, payoutId, 'paid', (tx) => writeMarkedPaid(tx, ctx, program, [payoutId], payment));
}

type WhyNotPaid = 'in_draft' | 'not_sent' | Exclude<PayoutStatus, 'open'>;
export type PaidPayout = { id: number; outcome: 'done' | 'not_found' | WhyNotPaid };

/** Marks those of the payouts that are open or sent as paid, all with one reference, and says what became of each. */
export function markManyPaid(
  ctx: Context,
  program: PaidProgram,
  payoutIds: number[],
  payment: Payment,
): Promise<PaidPayout[]> {
  return retryOnConflict(() => ctx.db.transaction((tx) => markPaidIn(tx, ctx, program, payoutIds, payment)));
}

/** The same as a part of a transaction. */
export async function markPaidIn(
  tx: Transaction,
  ctx: Context,
  program: PaidProgram,
  payoutIds: number[],
  payment: Payment,
): Promise<PaidPayout[]> {
  const { payouts, runOf, settle } = await lockWithRuns(tx, ctx, program.id, payoutIds);
  const payable = payouts.filter((payout) => closingProblem('paid', payout, runOf(payout)) === null);
  const ids = payable.map(({ id }) => id);
  await writeMarkedPaid(tx, ctx, program, ids, payment);
  await settle();
  const paid = new Set(ids);
  const outcomes = new Map(
    payouts.map((payout) => [payout.id, paid.has(payout.id) ? 'done' : whyNotPaid(payout, runOf(payout))] as const),
  );
  return payoutIds.map((id) => ({ id, outcome: outcomes.get(id) ?? 'not_found' }));
}

function whyNotPaid({ status }: LockedPayout, run: LockedRun | null): WhyNotPaid {
  if (status !== 'open') return status;
  return run?.status === 'draft' ? 'in_draft' : 'not_sent';
}

async function writeMarkedPaid(
  tx: Transaction,
  ctx: Context,
  program: PaidProgram,
  ids: number[],
  { reference, actor }: Payment,
): Promise<void> {
  const [first] = ids;
  if (first === undefined) return;
  await writePaid(
    tx,
    ctx,
    program.id,
    ids.map((id) => ({ id, reference })),
  );
  const after = { count: ids.length, payout_ids: ids, reference };
  await audit(tx, ctx, program, first, { action: 'payout.marked_paid', actor, after });
}

/** Marks an open, sent or paid payout as failed; its commissions become payable again. */
export function markFailed(
  ctx: Context,
  program: PaidProgram,
  payoutId: number,
  { reason, actor }: { reason: string; actor: Actor },
): Promise<PayoutRow> {
  return closeOne(ctx, program, payoutId, 'failed', async (tx, { status }) => {
    const commissions = await writeUnpaid(tx, ctx, program.id, 'failed', [{ id: payoutId, reason, code: null }]);
    const before = { status, commissions };
    await audit(tx, ctx, program, payoutId, { action: 'payout.marked_failed', actor, before, after: { reason } });
  });
}

/** Cancels an open payout that is not part of a run; its commissions become payable again. */
export function cancelPayout(ctx: Context, program: PaidProgram, payoutId: number, actor: Actor): Promise<PayoutRow> {
  return closeOne(ctx, program, payoutId, 'cancelled', async (tx) => {
    const commissions = await writeCancelled(tx, ctx, program.id, [payoutId], { isTold: true });
    await audit(tx, ctx, program, payoutId, { action: 'payout.cancelled', actor, before: { commissions } });
  });
}

async function closeOne(
  ctx: Context,
  { id: programId }: PaidProgram,
  payoutId: number,
  closedAs: 'paid' | 'failed' | 'cancelled',
  write: (tx: Transaction, payout: LockedPayout) => Promise<void>,
): Promise<PayoutRow> {
  await retryOnConflict(() =>
    ctx.db.transaction(async (tx) => {
      const { payouts, runOf, settle } = await lockWithRuns(tx, ctx, programId, [payoutId]);
      const [payout] = payouts;
      if (!payout) throw errors.notFound();
      const problem = closingProblem(closedAs, payout, runOf(payout));
      if (problem) throw problem;
      await write(tx, payout);
      await settle();
    }),
  );
  return (await findPayout(ctx.db, { programId, partnerId: EVERYONE }, payoutId))!;
}

/**
 * Locks payouts and the runs that they are part of, which are settled once none of their payouts is on its way. Payouts of a run that
 * is shown between the two statements are not there yet: they are in a draft that is not locked.
 */
async function lockWithRuns(tx: Transaction, ctx: Context, programId: number, payoutIds: number[]) {
  const runs = new Map((await lockRunsOfPayouts(tx, programId, payoutIds)).map((run) => [run.id, run]));
  const payouts = await lockPayouts(tx, programId, payoutIds);
  return {
    payouts: payouts.filter(({ runId }) => runId === null || runs.has(runId)),
    runOf: ({ runId }: LockedPayout): LockedRun | null => (runId === null ? null : (runs.get(runId) ?? null)),
    settle: () => updateSettled(tx, [...runs.keys()], ctx.now()),
  };
}

function audit(
  tx: Transaction,
  { now }: Context,
  { id: programId, workspaceId }: PaidProgram,
  payoutId: number,
  event: Pick<AuditEvent, 'action' | 'actor' | 'before' | 'after'>,
): Promise<void> {
  const subject = { type: 'payout', id: payoutId } as const;
  return insertAuditEvent(tx, { workspaceId, programId, subject, ...event }, now());
}
