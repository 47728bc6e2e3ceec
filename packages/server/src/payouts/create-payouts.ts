import { MAX_PAYOUTS_AT_ONCE } from '@svc/contract';
import type { Context } from '../context.ts';
import { listPayoutsByIds, type Payout } from './payout-store.ts';
import { findDueForUpdate, insertPayout, listPayable, type Payable } from './payout-writing-store.ts';

export type CreatedPayouts = { payouts: Payout[]; more: boolean };

/** Makes a payout for every partner and currency with a balance above zero, or for those that were asked for. */
export async function createPayouts(
  ctx: Context,
  programId: number,
  wanted: { partnerId?: number; currency?: string },
): Promise<CreatedPayouts> {
  const payable = await listPayable(ctx.db, programId, wanted, MAX_PAYOUTS_AT_ONCE + 1);
  const ids: number[] = [];
  for (const one of payable.slice(0, MAX_PAYOUTS_AT_ONCE)) {
    const id = await createPayout(ctx, programId, one);
    if (id !== null) ids.push(id);
  }
  const payouts = ids.length === 0 ? [] : await listPayoutsByIds(ctx.db, programId, ids);
  return { payouts, more: payable.length > MAX_PAYOUTS_AT_ONCE };
}

/** Every cent that is due goes into one payout, however many people ask at once. */
function createPayout(ctx: Context, programId: number, payable: Payable): Promise<number | null> {
  return ctx.db.transaction(async (tx) => {
    const commissionIds = await findDueForUpdate(tx, programId, payable);
    return insertPayout(tx, programId, payable, commissionIds, ctx.now());
  });
}
