import { errors, type PayoutRow } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import { COMMISSION_ROWS, movedCommissions } from '../commissions/commission-list-store.ts';
import type { MovedCommission } from '../commissions/commission-store.ts';
import { lockCommissions, updateCoveredToPaid, updateUncovered } from '../commissions/payout-coverage-store.ts';
import type { Context } from '../context.ts';
import type { Queryable, Transaction } from '../db/db.ts';
import { EVERYONE } from '../db/lists/list-query.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { announce } from '../outbox/announce.ts';
import { type RowsBefore, readRows } from '../outbox/outbox-store.ts';
import type { Program } from '../programs/program.ts';
import { findPayout, PAYOUT_ROWS } from './payout-list-store.ts';
import {
  listAllLines,
  listPayoutStatuses,
  type PayoutStatus,
  updateCancelled,
  updateFailed,
  updatePaid,
} from './payout-store.ts';
import { queuePayoutMails } from './queue-payout-mails.ts';

/** Marks an open payout as paid; the commissions it covers in full become paid with it. */
export function markPaid(ctx: Context, program: PaidProgram, payoutId: number, payment: Payment): Promise<PayoutRow> {
  return close(
    ctx,
    program.id,
    payoutId,
    'paid',
    async (tx) => (await writePaid(tx, ctx, program, [payoutId], payment)).length > 0,
  );
}

type PaidProgram = Pick<Program, 'id' | 'workspaceId'>;

/** How the money was sent, and who says so. */
export type Payment = { reference: string | null; actor: Actor };

export type PaidPayout = { id: number; outcome: 'done' | 'refused' | 'not_found'; status: PayoutStatus | null };

/** Marks those of the payouts that are open as paid, all with one reference, and says what became of each. */
export async function markManyPaid(
  ctx: Context,
  program: PaidProgram,
  payoutIds: number[],
  payment: Payment,
): Promise<PaidPayout[]> {
  const paid = new Set(
    await retryOnConflict(() => ctx.db.transaction((tx) => writePaid(tx, ctx, program, payoutIds, payment))),
  );
  const found = await listPayoutStatuses(ctx.db, program.id, payoutIds);
  const statuses = new Map(found.map(({ id, status }) => [id, status]));
  return payoutIds.map((id) => {
    const status = statuses.get(id) ?? null;
    return { id, outcome: status === null ? 'not_found' : paid.has(id) ? 'done' : 'refused', status };
  });
}

/** The ids of the payouts that were open. */
async function writePaid(
  tx: Transaction,
  ctx: Context,
  { id: programId, workspaceId }: PaidProgram,
  payoutIds: number[],
  { reference, actor }: Payment,
): Promise<number[]> {
  const before = await readBefore(tx, programId, payoutIds);
  const paid = await updatePaid(tx, programId, payoutIds, reference, ctx.now());
  const commissionIds = (await listAllLines(tx, paid)).map(({ commissionId }) => commissionId);
  await lockCommissions(tx, commissionIds);
  const covered = await updateCoveredToPaid(tx, commissionIds);
  const [first] = paid;
  if (first !== undefined) {
    const subject = { type: 'payout', id: first } as const;
    const after = { count: paid.length, payout_ids: paid, reference };
    const event = { workspaceId, programId, actor, action: 'payout.marked_paid', subject, after } as const;
    await insertAuditEvent(tx, event, ctx.now());
  }
  await queuePayoutMails(tx, ctx, programId, paid, (payout) => ({
    kind: 'statement_ready',
    cause: String(payout.payoutId),
    fields: { ...payout, reference },
  }));
  await announceClosed(ctx, tx, programId, { type: 'payout.paid', ids: paid, before, paid: covered });
  return paid;
}

type Before = { payouts: RowsBefore; commissions: RowsBefore };

/** Payouts and their commissions before they are closed. */
async function readBefore(tx: Queryable, programId: number, payoutIds: number[]): Promise<Before> {
  const inProgram = (id: number) => ({ programId, id });
  const lines = await listAllLines(tx, payoutIds);
  const commissionIds = [...new Set(lines.map(({ commissionId }) => commissionId))];
  return {
    payouts: await readRows(tx, PAYOUT_ROWS, payoutIds.map(inProgram)),
    commissions: await readRows(tx, COMMISSION_ROWS, commissionIds.map(inProgram)),
  };
}

type Closed = {
  type: 'payout.paid' | 'payout.failed' | 'payout.cancelled';
  ids: number[];
  before: Before;
  /** Commissions that are paid from now on. */
  paid: MovedCommission[];
};

function announceClosed(
  ctx: Context,
  tx: Transaction,
  programId: number,
  { type, ids, before, paid }: Closed,
): Promise<void> {
  return announce(ctx, tx, [
    { rows: PAYOUT_ROWS, events: ids.map((id) => ({ type, programId, id, before: before.payouts.get(id) })) },
    movedCommissions('commission.paid', programId, paid, before.commissions),
  ]);
}

/** Marks an open or paid payout as failed; its commissions become payable again. */
export function markFailed(
  ctx: Context,
  { id: programId, workspaceId }: PaidProgram,
  payoutId: number,
  { reason, actor }: { reason: string; actor: Actor },
): Promise<PayoutRow> {
  return close(ctx, programId, payoutId, 'failed', async (tx) => {
    const rowsBefore = await readBefore(tx, programId, [payoutId]);
    const status = await updateFailed(tx, programId, payoutId, { reason, now: ctx.now() });
    if (status === null) return false;
    const { count, paid } = await freeLines(tx, payoutId);
    const before = { status, commissions: count };
    const subject = { type: 'payout', id: payoutId } as const;
    const action = 'payout.marked_failed' as const;
    await insertAuditEvent(
      tx,
      { workspaceId, programId, actor, action, subject, before, after: { reason } },
      ctx.now(),
    );
    await mailNotPaid(tx, ctx, programId, payoutId, reason);
    await announceClosed(ctx, tx, programId, { type: 'payout.failed', ids: [payoutId], before: rowsBefore, paid });
    return true;
  });
}

/** Makes what the payout covers due again. Returns how many commissions that are, and those that other payouts have paid. */
async function freeLines(tx: Queryable, payoutId: number): Promise<{ count: number; paid: MovedCommission[] }> {
  const lines = await listAllLines(tx, [payoutId]);
  await lockCommissions(
    tx,
    lines.map(({ commissionId }) => commissionId),
  );
  const paid = await updateUncovered(
    tx,
    lines.map(({ commissionId, amountCents }) => ({ id: commissionId, cents: amountCents })),
  );
  return { count: lines.length, paid };
}

/** Tells the partner that the money does not come; without a reason, the brand has cancelled the payout. */
function mailNotPaid(tx: Queryable, ctx: Context, programId: number, payoutId: number, reason: string | null) {
  return queuePayoutMails(tx, ctx, programId, [payoutId], (payout) => ({
    kind: 'payout_failed',
    cause: String(payoutId),
    fields: { ...payout, reason },
  }));
}

/** Cancels an open payout; its commissions become payable again. */
export function cancelPayout(ctx: Context, program: PaidProgram, payoutId: number, actor: Actor): Promise<PayoutRow> {
  const { id: programId, workspaceId } = program;
  return close(ctx, programId, payoutId, 'cancelled', async (tx) => {
    const rowsBefore = await readBefore(tx, programId, [payoutId]);
    if (!(await updateCancelled(tx, programId, payoutId, ctx.now()))) return false;
    const { count, paid } = await freeLines(tx, payoutId);
    const before = { commissions: count };
    const subject = { type: 'payout', id: payoutId } as const;
    await insertAuditEvent(
      tx,
      { workspaceId, programId, actor, action: 'payout.cancelled', subject, before },
      ctx.now(),
    );
    await mailNotPaid(tx, ctx, programId, payoutId, null);
    await announceClosed(ctx, tx, programId, { type: 'payout.cancelled', ids: [payoutId], before: rowsBefore, paid });
    return true;
  });
}

async function close(
  ctx: Context,
  programId: number,
  payoutId: number,
  closedAs: 'paid' | 'failed' | 'cancelled',
  write: (tx: Transaction) => Promise<boolean>,
): Promise<PayoutRow> {
  const isClosed = await ctx.db.transaction(write);
  const payout = await findPayout(ctx.db, { programId, partnerId: EVERYONE }, payoutId);
  if (!payout) throw errors.notFound();
  if (!isClosed) throw errors.payoutNotOpen(payout.status, closedAs);
  return payout;
}
