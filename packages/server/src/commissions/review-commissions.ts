import { type CommissionStatus, errors } from '@svc/contract';
import type { Context } from '../context.ts';
import { TRANSITIONS } from './commission-state.ts';
import { listReviewStates, updateReviewed } from './commission-store.ts';

export type Review = 'approve' | 'reject';

/** Approves or rejects a commission, or throws an error that says why it cannot. */
export async function reviewCommission(
  ctx: Context,
  programId: number,
  commissionId: number,
  review: Review,
): Promise<void> {
  const [before] = await listReviewStates(ctx.db, programId, [commissionId]);
  if (!before) throw errors.notFound();
  const reviewed = await updateReviewed(ctx.db, programId, [commissionId], review, ctx.now());
  if (reviewed.length === 0) {
    const state = before.isInPayout && before.stage === 'approved' ? 'in a payout' : before.status;
    throw errors.commissionNotReviewable(state, TRANSITIONS[review].to);
  }
}

export type ReviewedCommission = {
  id: number;
  outcome: 'done' | 'refused' | 'not_found';
  status: CommissionStatus | null;
};

/** Approves or rejects many commissions independently and returns their outcomes in the order of the ids. */
export async function reviewCommissions(
  ctx: Context,
  programId: number,
  commissionIds: number[],
  review: Review,
): Promise<ReviewedCommission[]> {
  const reviewed = new Set(await updateReviewed(ctx.db, programId, commissionIds, review, ctx.now()));
  const found = await listReviewStates(ctx.db, programId, commissionIds);
  const statuses = new Map(found.map(({ id, status }) => [id, status]));
  return commissionIds.map((id) => {
    const status = statuses.get(id) ?? null;
    return { id, outcome: status === null ? 'not_found' : reviewed.has(id) ? 'done' : 'refused', status };
  });
}
