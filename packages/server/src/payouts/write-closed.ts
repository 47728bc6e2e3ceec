import { COMMISSION_ROWS, movedCommissions } from '../commissions/commission-list-store.ts';
import type { MovedCommission } from '../commissions/commission-store.ts';
import { lockCommissions, updateCoveredToPaid, updateUncovered } from '../commissions/payout-coverage-store.ts';
import type { Context } from '../context.ts';
import type { Queryable, Transaction } from '../db/db.ts';
import { announceMany } from '../outbox/announce.ts';
import { type RowsBefore, readRows } from '../outbox/outbox-store.ts';
import { PAYOUT_ROWS } from './payout-list-store.ts';
import { listAllLines, type Unpaid, updateCancelled, updatePaid, updateSent, updateUnpaid } from './payout-store.ts';
import { queuePayoutMails } from './queue-payout-mails.ts';

/** A payout that was paid, and the reference of the payment, if it has one. */
export type Paid = { id: number; reference: string | null };

/** Marks payouts that are locked as paid; the commissions that they cover in full become paid with them. */
export async function writePaid(tx: Transaction, ctx: Context, programId: number, paid: Paid[]): Promise<void> {
  if (paid.length === 0) return;
  const ids = paid.map(({ id }) => id);
  const before = await readBefore(tx, programId, ids);
  await updatePaid(tx, paid, ctx.now());
  const commissionIds = (await listAllLines(tx, ids)).map(({ commissionId }) => commissionId);
  await lockCommissions(tx, commissionIds);
  const covered = await updateCoveredToPaid(tx, commissionIds);
  const references = new Map(paid.map(({ id, reference }) => [id, reference]));
  await queuePayoutMails(tx, ctx, programId, ids, (payout) => ({
    kind: 'statement_ready',
    cause: String(payout.payoutId),
    fields: { ...payout, reference: references.get(payout.payoutId) ?? null },
  }));
  await announceClosed(ctx, tx, programId, { type: 'payout.paid', ids, before, paid: covered });
}

/** Marks payouts that are locked as sent. */
export async function writeSent(tx: Transaction, ctx: Context, programId: number, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  const before = await readPayouts(tx, programId, ids);
  await updateSent(tx, ids, ctx.now());
  const events = ids.map((id) => ({ type: 'payout.sent' as const, programId, id, before: before.get(id) }));
  await announceMany(ctx, tx, [{ rows: PAYOUT_ROWS, events }]);
}

/**
 * Marks payouts that are locked as failed, or as returned if they came back. What they cover is due again, and the partners are
 * told why. Returns how many commissions that are.
 */
export async function writeUnpaid(
  tx: Transaction,
  ctx: Context,
  programId: number,
  status: 'failed' | 'returned',
  unpaid: Unpaid[],
): Promise<number> {
  if (unpaid.length === 0) return 0;
  const ids = unpaid.map(({ id }) => id);
  const before = await readBefore(tx, programId, ids);
  await updateUnpaid(tx, status, unpaid, ctx.now());
  const { count, paid } = await freeLines(tx, ids);
  const reasons = new Map(unpaid.map(({ id, reason }) => [id, reason]));
  await mailNotPaid(tx, ctx, programId, ids, (id) => reasons.get(id) ?? null);
  await announceClosed(ctx, tx, programId, { type: `payout.${status}`, ids, before, paid });
  return count;
}

/** Cancels payouts that are locked. What they cover is due again. Returns how many commissions that are. */
export async function writeCancelled(
  tx: Transaction,
  ctx: Context,
  programId: number,
  ids: number[],
  { isTold }: { isTold: boolean },
): Promise<number> {
  if (ids.length === 0) return 0;
  const before = await readBefore(tx, programId, ids);
  await updateCancelled(tx, ids, ctx.now());
  const { count, paid } = await freeLines(tx, ids);
  if (isTold) await mailNotPaid(tx, ctx, programId, ids, () => null);
  await announceClosed(ctx, tx, programId, { type: 'payout.cancelled', ids, before, paid });
  return count;
}

type Before = { payouts: RowsBefore; commissions: RowsBefore };

/** Payouts and their commissions before they are closed. */
async function readBefore(tx: Queryable, programId: number, payoutIds: number[]): Promise<Before> {
  const lines = await listAllLines(tx, payoutIds);
  const commissionIds = [...new Set(lines.map(({ commissionId }) => commissionId))];
  return {
    payouts: await readPayouts(tx, programId, payoutIds),
    commissions: await readRows(
      tx,
      COMMISSION_ROWS,
      commissionIds.map((id) => ({ programId, id })),
    ),
  };
}

function readPayouts(tx: Queryable, programId: number, payoutIds: number[]): Promise<RowsBefore> {
  return readRows(
    tx,
    PAYOUT_ROWS,
    payoutIds.map((id) => ({ programId, id })),
  );
}

type Closed = {
  type: 'payout.paid' | 'payout.failed' | 'payout.returned' | 'payout.cancelled';
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
  return announceMany(ctx, tx, [
    { rows: PAYOUT_ROWS, events: ids.map((id) => ({ type, programId, id, before: before.payouts.get(id) })) },
    movedCommissions('commission.paid', programId, paid, before.commissions),
  ]);
}

/** Makes what the payouts cover due again. Returns how many commissions that are, and those that other payouts have paid. */
async function freeLines(tx: Queryable, payoutIds: number[]): Promise<{ count: number; paid: MovedCommission[] }> {
  const lines = await listAllLines(tx, payoutIds);
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

/** Tells partners that the money does not come; without a reason, the brand has cancelled the payout. */
function mailNotPaid(
  tx: Queryable,
  ctx: Context,
  programId: number,
  payoutIds: number[],
  reasonOf: (payoutId: number) => string | null,
) {
  return queuePayoutMails(tx, ctx, programId, payoutIds, (payout) => ({
    kind: 'payout_failed',
    cause: String(payout.payoutId),
    fields: { ...payout, reason: reasonOf(payout.payoutId) },
  }));
}
