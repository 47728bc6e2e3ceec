import { type CommissionStage, type CommissionStatus, errors } from '@svc/contract';
import type { Context } from '../context.ts';
import { findCommission, type ListedCommission, listCommissionsByIds, updateStages } from './commission-list-store.ts';

export type Review = 'approved' | 'rejected';

const COMES_FROM: Record<Review, CommissionStage[]> = { approved: ['pending'], rejected: ['pending', 'approved'] };

/** Approves or rejects a commission, or says why not. */
export async function reviewCommission(
  ctx: Context,
  programId: number,
  commissionId: number,
  to: Review,
): Promise<ListedCommission> {
  const before = await findCommission(ctx.db, programId, commissionId);
  if (!before) throw errors.notFound();
  const moved = await updateStages(ctx.db, programId, [commissionId], COMES_FROM[to], to, ctx.now());
  if (moved.length === 0) {
    const state = before.isInPayout && before.stage === 'approved' ? 'in a payout' : before.status;
    throw errors.commissionNotReviewable(state, to);
  }
  return (await findCommission(ctx.db, programId, commissionId)) as ListedCommission;
}

export type ReviewedCommission = {
  id: number;
  outcome: 'done' | 'refused' | 'not_found';
  status: CommissionStatus | null;
};

/** Approves or rejects many, each by itself, and tells what became of every one in the order they were named. */
export async function reviewCommissions(
  ctx: Context,
  programId: number,
  commissionIds: number[],
  to: Review,
): Promise<ReviewedCommission[]> {
  const moved = new Set(await updateStages(ctx.db, programId, commissionIds, COMES_FROM[to], to, ctx.now()));
  const found = await listCommissionsByIds(ctx.db, programId, commissionIds);
  const statuses = new Map(found.map(({ id, status }) => [id, status]));
  return commissionIds.map((id) => {
    const status = statuses.get(id) ?? null;
    return { id, outcome: status === null ? 'not_found' : moved.has(id) ? 'done' : 'refused', status };
  });
}
