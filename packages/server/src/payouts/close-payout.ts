import { errors } from '@svc/contract';
import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import { findPayout, type Payout } from './payout-store.ts';
import {
  lockCommissionsOf,
  updateCancelled,
  updateCoveredToPaid,
  updatePaid,
  updateReleased,
} from './payout-writing-store.ts';

/** Tells that an open payout was paid; the commissions it covers in full become paid with it. */
export function markPaid(ctx: Context, programId: number, payoutId: number, reference: string | null): Promise<Payout> {
  return settle(ctx, programId, payoutId, 'paid', async (tx) => {
    if (!(await updatePaid(tx, programId, payoutId, reference, ctx.now()))) return false;
    await lockCommissionsOf(tx, payoutId);
    await updateCoveredToPaid(tx, payoutId);
    return true;
  });
}

/** Cancels an open payout; what it was made of is payable again. */
export function cancelPayout(ctx: Context, programId: number, payoutId: number): Promise<Payout> {
  return settle(ctx, programId, payoutId, 'cancelled', async (tx) => {
    if (!(await updateCancelled(tx, programId, payoutId, ctx.now()))) return false;
    await lockCommissionsOf(tx, payoutId);
    await updateReleased(tx, payoutId);
    await updateCoveredToPaid(tx, payoutId);
    return true;
  });
}

async function settle(
  ctx: Context,
  programId: number,
  payoutId: number,
  to: string,
  write: (tx: Queryable) => Promise<boolean>,
): Promise<Payout> {
  const isSettled = await ctx.db.transaction(write);
  const payout = await findPayout(ctx.db, programId, payoutId);
  if (!payout) throw errors.notFound();
  if (!isSettled) throw errors.payoutNotOpen(payout.status, to);
  return payout;
}
