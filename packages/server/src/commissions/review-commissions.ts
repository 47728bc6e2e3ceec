import { type CommissionStatus, errors, type ReviewAction } from '@svc/contract';
import { type Actor, type AuditEvent, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { Queryable, Transaction } from '../db/db.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { announce } from '../outbox/announce.ts';
import { readRows } from '../outbox/outbox-store.ts';
import type { Program } from '../programs/program.ts';
import { deductionFor, reversedShare } from './commission.ts';
import { COMMISSION_ROWS, movedCommissions } from './commission-list-store.ts';
import { REVIEWS, reversalOf } from './commission-state.ts';
import {
  listCommissionsForUpdate,
  listReviewStates,
  listSalesForUpdate,
  type MovedCommission,
  type ReviewState,
  updateDeductions,
  updateReviewed,
} from './commission-store.ts';

/** What a person does with commissions, and why they reject them. */
export type Review = { action: ReviewAction; reason?: string | undefined; actor: Actor };

type ReviewedProgram = Pick<Program, 'id' | 'workspaceId'>;

/** What the commission would be. */
const DONE = { approve: 'approved', reject: 'rejected', restore: 'restored' } as const satisfies Record<
  ReviewAction,
  string
>;

/** Approves, rejects or restores a commission, or throws an error that says why it cannot. */
export async function reviewCommission(
  ctx: Context,
  program: ReviewedProgram,
  commissionId: number,
  review: Review,
): Promise<void> {
  const [before] = await listReviewStates(ctx.db, program.id, [commissionId]);
  if (!before) throw errors.notFound();
  const [reviewed] = await reviewCommissions(ctx, program, [commissionId], review);
  if (reviewed?.outcome !== 'done') {
    const state = isHeldByPayout(before) ? 'in a payout' : before.status;
    throw errors.commissionNotReviewable(state, DONE[review.action]);
  }
}

export type ReviewedCommission = {
  id: number;
  outcome: 'done' | 'refused' | 'not_found';
  status: CommissionStatus | null;
  isInPayout: boolean;
};

/** Reviews many commissions independently and returns their outcomes in the order of the ids. */
export function reviewCommissions(
  ctx: Context,
  program: ReviewedProgram,
  commissionIds: number[],
  review: Review,
): Promise<ReviewedCommission[]> {
  return retryOnConflict(() => ctx.db.transaction((tx) => reviewIn(tx, ctx, program, commissionIds, review)));
}

/** The same as a part of a transaction. */
export async function reviewIn(
  tx: Transaction,
  ctx: Context,
  program: ReviewedProgram,
  commissionIds: number[],
  review: Review,
): Promise<ReviewedCommission[]> {
  const reviewed = new Set(await applyReview(tx, ctx, program, commissionIds, review));
  const found = new Map((await listReviewStates(tx, program.id, commissionIds)).map((state) => [state.id, state]));
  return commissionIds.map((id) => {
    const state = found.get(id);
    if (!state) return { id, outcome: 'not_found', status: null, isInPayout: false };
    const outcome = reviewed.has(id) ? 'done' : 'refused';
    return { id, outcome, status: state.status, isInPayout: isHeldByPayout(state) };
  });
}

const isHeldByPayout = ({ isInPayout, stage }: ReviewState) => isInPayout && stage === 'approved';

/** The ids of the commissions that changed. One row of the audit log is about all of them. */
async function applyReview(
  tx: Transaction,
  ctx: Context,
  program: ReviewedProgram,
  ids: number[],
  review: Review,
): Promise<number[]> {
  const { action, reason } = review;
  if (action === 'restore') await catchUpWithRefunds(tx, program.id, ids, ctx.now());
  const before = await readRows(
    tx,
    COMMISSION_ROWS,
    ids.map((id) => ({ programId: program.id, id })),
  );
  const moved: MovedCommission[] = [];
  for (const transition of REVIEWS[action]) {
    moved.push(...(await updateReviewed(tx, program.id, ids, transition, { now: ctx.now(), reason })));
  }
  const changed = moved.map(({ id }) => id);
  if (changed.length > 0) await insertAuditEvent(tx, reviewEvent(program, changed, review), ctx.now());
  announce(ctx, tx, [movedCommissions(`commission.${DONE[action]}`, program.id, moved, before)]);
  return changed;
}

function reviewEvent(
  { id, workspaceId }: ReviewedProgram,
  ids: number[],
  { action, reason, actor }: Review,
): AuditEvent {
  const [first = 0] = ids;
  return {
    workspaceId,
    programId: id,
    actor,
    action: `commission.${DONE[action]}`,
    subject: { type: 'commission', id: first },
    after: { count: ids.length, commission_ids: ids, ...(reason && { reason }) },
  };
}

/** Refunds do not touch a rejected commission, so what they would have deducted is deducted when it comes back. */
async function catchUpWithRefunds(tx: Queryable, programId: number, ids: number[], now: Date): Promise<void> {
  const sales = new Map((await listSalesForUpdate(tx, programId, ids)).map((sale) => [sale.saleId, sale]));
  const commissions = await listCommissionsForUpdate(tx, [...sales.keys()]);
  const deductions = commissions.flatMap(({ id, saleId, cents, stage }) => {
    const sale = sales.get(saleId);
    if (!sale || stage !== 'rejected' || !ids.includes(id)) return [];
    const { refundedCents, amountCents } = sale;
    const deductedCents = deductionFor(cents, reversedShare(sale), amountCents);
    return [{ commissionId: id, deductedCents, reversal: reversalOf(refundedCents, amountCents) }];
  });
  await updateDeductions(tx, deductions, now);
}
