import { type CommissionStatus, errors, type ReviewAction } from '@svc/contract';
import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { deductionFor } from './commission.ts';
import { REVIEWS, reversalOf } from './commission-state.ts';
import {
  listCommissionsForUpdate,
  listReviewStates,
  listSalesForUpdate,
  type ReviewState,
  updateDeductions,
  updateReviewed,
} from './commission-store.ts';

/** What a person does with commissions, and why they reject them. */
export type Review = { action: ReviewAction; reason?: string | undefined };

/** What the commission would be. */
const DONE: Record<ReviewAction, string> = { approve: 'approved', reject: 'rejected', restore: 'restored' };

/** Approves, rejects or restores a commission, or throws an error that says why it cannot. */
export async function reviewCommission(
  ctx: Context,
  programId: number,
  commissionId: number,
  review: Review,
): Promise<void> {
  const [before] = await listReviewStates(ctx.db, programId, [commissionId]);
  if (!before) throw errors.notFound();
  const reviewed = await applyReview(ctx, programId, [commissionId], review);
  if (reviewed.length === 0) {
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
export async function reviewCommissions(
  ctx: Context,
  programId: number,
  commissionIds: number[],
  review: Review,
): Promise<ReviewedCommission[]> {
  const reviewed = new Set(await applyReview(ctx, programId, commissionIds, review));
  const found = new Map((await listReviewStates(ctx.db, programId, commissionIds)).map((state) => [state.id, state]));
  return commissionIds.map((id) => {
    const state = found.get(id);
    if (!state) return { id, outcome: 'not_found', status: null, isInPayout: false };
    const outcome = reviewed.has(id) ? 'done' : 'refused';
    return { id, outcome, status: state.status, isInPayout: isHeldByPayout(state) };
  });
}

const isHeldByPayout = ({ isInPayout, stage }: ReviewState) => isInPayout && stage === 'approved';

/** The ids of the commissions that changed. */
function applyReview(ctx: Context, programId: number, ids: number[], { action, reason }: Review): Promise<number[]> {
  return retryOnConflict(() =>
    ctx.db.transaction(async (tx) => {
      if (action === 'restore') await catchUpWithRefunds(tx, programId, ids);
      const changed: number[] = [];
      for (const transition of REVIEWS[action]) {
        changed.push(...(await updateReviewed(tx, programId, ids, transition, { now: ctx.now(), reason })));
      }
      return changed;
    }),
  );
}

/** Refunds do not touch a rejected commission, so what they would have deducted is deducted when it comes back. */
async function catchUpWithRefunds(tx: Queryable, programId: number, ids: number[]): Promise<void> {
  const sales = new Map((await listSalesForUpdate(tx, programId, ids)).map((sale) => [sale.saleId, sale]));
  const commissions = await listCommissionsForUpdate(tx, [...sales.keys()]);
  const deductions = commissions.flatMap(({ id, saleId, cents, stage }) => {
    const sale = sales.get(saleId);
    if (!sale || stage !== 'rejected') return [];
    const { refundedCents, amountCents } = sale;
    const deductedCents = deductionFor(cents, refundedCents, amountCents);
    return [{ commissionId: id, deductedCents, reversal: reversalOf(refundedCents, amountCents) }];
  });
  await updateDeductions(tx, deductions);
}
