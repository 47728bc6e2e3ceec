import { errors } from '@svc/contract';
import { lockCommissions, updateCoveredToPaid, updateInPayouts } from '../commissions/payout-coverage-store.ts';
import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import { findPayout, listAllLines, type Payout, updateCancelled, updatePaid } from './payout-store.ts';

/** Marks an open payout as paid; the commissions it covers in full become paid with it. */
export function markPaid(ctx: Context, programId: number, payoutId: number, reference: string | null): Promise<Payout> {
  return close(ctx, programId, payoutId, 'paid', async (tx) => {
    if (!(await updatePaid(tx, programId, payoutId, reference, ctx.now()))) return false;
    const commissionIds = (await listAllLines(tx, payoutId)).map(({ commissionId }) => commissionId);
    await lockCommissions(tx, commissionIds);
    await updateCoveredToPaid(tx, commissionIds);
    return true;
  });
}

/** Cancels an open payout; its commissions become payable again. */
export function cancelPayout(ctx: Context, programId: number, payoutId: number): Promise<Payout> {
  return close(ctx, programId, payoutId, 'cancelled', async (tx) => {
    if (!(await updateCancelled(tx, programId, payoutId, ctx.now()))) return false;
    const lines = await listAllLines(tx, payoutId);
    const commissionIds = lines.map(({ commissionId }) => commissionId);
    await lockCommissions(tx, commissionIds);
    await updateInPayouts(
      tx,
      lines.map(({ commissionId, amountCents }) => ({ id: commissionId, cents: -amountCents })),
    );
    await updateCoveredToPaid(tx, commissionIds);
    return true;
  });
}

async function close(
  ctx: Context,
  programId: number,
  payoutId: number,
  closedAs: 'paid' | 'cancelled',
  write: (tx: Queryable) => Promise<boolean>,
): Promise<Payout> {
  const isClosed = await ctx.db.transaction(write);
  const payout = await findPayout(ctx.db, programId, payoutId);
  if (!payout) throw errors.notFound();
  if (!isClosed) throw errors.payoutNotOpen(payout.status, closedAs);
  return payout;
}
