import { errors, type PayoutRow } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import { lockCommissions, updateCoveredToPaid, updateInPayouts } from '../commissions/payout-coverage-store.ts';
import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import { EVERYONE } from '../db/lists/list-query.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { queueMails } from '../mail/queue-mail.ts';
import type { Program } from '../programs/program.ts';
import { findPayout } from './payout-list-store.ts';
import {
  listAllLines,
  listPayoutRecipients,
  listPayoutStatuses,
  type PayoutStatus,
  updateCancelled,
  updatePaid,
} from './payout-store.ts';

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
  tx: Queryable,
  ctx: Context,
  { id: programId, workspaceId }: PaidProgram,
  payoutIds: number[],
  { reference, actor }: Payment,
): Promise<number[]> {
  const paid = await updatePaid(tx, programId, payoutIds, reference, ctx.now());
  const commissionIds = (await listAllLines(tx, paid)).map(({ commissionId }) => commissionId);
  await lockCommissions(tx, commissionIds);
  await updateCoveredToPaid(tx, commissionIds);
  const [first] = paid;
  if (first !== undefined) {
    const subject = { type: 'payout', id: first } as const;
    const after = { count: paid.length, payout_ids: paid, reference };
    const event = { workspaceId, programId, actor, action: 'payout.marked_paid', subject, after } as const;
    await insertAuditEvent(tx, event, ctx.now());
  }
  await mailClosed(tx, ctx, programId, paid, { kind: 'payout_paid', reference });
  return paid;
}

/** Tells the partners. A payout fails when the brand cancels it. */
async function mailClosed(
  tx: Queryable,
  ctx: Context,
  programId: number,
  payoutIds: number[],
  { kind, reference }: { kind: 'payout_paid' | 'payout_failed'; reference: string | null },
): Promise<void> {
  if (!ctx.mail) return;
  const recipients = await listPayoutRecipients(tx, programId, payoutIds);
  const mails = recipients.map(({ userId, ...payout }) => {
    return { kind, cause: String(payout.payoutId), programId, to: { userId }, fields: { ...payout, reference } };
  });
  await queueMails(tx, ctx, mails);
}

/** Cancels an open payout; its commissions become payable again. */
export function cancelPayout(ctx: Context, program: PaidProgram, payoutId: number, actor: Actor): Promise<PayoutRow> {
  const { id: programId, workspaceId } = program;
  return close(ctx, programId, payoutId, 'cancelled', async (tx) => {
    if (!(await updateCancelled(tx, programId, payoutId, ctx.now()))) return false;
    const lines = await listAllLines(tx, [payoutId]);
    const commissionIds = lines.map(({ commissionId }) => commissionId);
    await lockCommissions(tx, commissionIds);
    await updateInPayouts(
      tx,
      lines.map(({ commissionId, amountCents }) => ({ id: commissionId, cents: -amountCents })),
    );
    await updateCoveredToPaid(tx, commissionIds);
    const subject = { type: 'payout', id: payoutId } as const;
    const before = { commissions: lines.length };
    await insertAuditEvent(
      tx,
      { workspaceId, programId, actor, action: 'payout.cancelled', subject, before },
      ctx.now(),
    );
    await mailClosed(tx, ctx, programId, [payoutId], { kind: 'payout_failed', reference: null });
    return true;
  });
}

async function close(
  ctx: Context,
  programId: number,
  payoutId: number,
  closedAs: 'paid' | 'cancelled',
  write: (tx: Queryable) => Promise<boolean>,
): Promise<PayoutRow> {
  const isClosed = await ctx.db.transaction(write);
  const payout = await findPayout(ctx.db, { programId, partnerId: EVERYONE }, payoutId);
  if (!payout) throw errors.notFound();
  if (!isClosed) throw errors.payoutNotOpen(payout.status, closedAs);
  return payout;
}
