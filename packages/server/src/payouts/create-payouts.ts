import { MAX_PAYOUTS_AT_ONCE } from '@svc/contract';
import { listDueForUpdate, updateInPayouts } from '../commissions/payout-coverage-store.ts';
import type { Context } from '../context.ts';
import { insertPayout, listPayable, listPayoutsByIds, type Payable, type Payout } from './payout-store.ts';

export type CreatedPayouts = { payouts: Payout[]; more: boolean };

/** Creates a payout for each partner and currency with a positive balance, optionally only for the given ones. */
export async function createPayouts(
  ctx: Context,
  programId: number,
  only: { partnerId?: number; currency?: string },
): Promise<CreatedPayouts> {
  const payable = await listPayable(ctx.db, programId, only, MAX_PAYOUTS_AT_ONCE + 1);
  const ids: number[] = [];
  for (const balance of payable.slice(0, MAX_PAYOUTS_AT_ONCE)) {
    const id = await createPayout(ctx, programId, balance);
    if (id !== null) ids.push(id);
  }
  const payouts = ids.length === 0 ? [] : await listPayoutsByIds(ctx.db, programId, ids);
  return { payouts, more: payable.length > MAX_PAYOUTS_AT_ONCE };
}

/** Every cent due goes into one payout, even with concurrent requests. Null when nothing is left to pay. */
function createPayout(ctx: Context, programId: number, { partnerId, currency }: Payable): Promise<number | null> {
  return ctx.db.transaction(async (tx) => {
    const due = await listDueForUpdate(tx, programId, partnerId, currency);
    const amountCents = due.reduce((sum, { dueCents }) => sum + BigInt(dueCents), 0n);
    if (amountCents <= 0n) return null;
    const lines = due.map(({ id, dueCents }) => ({ commissionId: id, amountCents: dueCents }));
    const payoutId = await insertPayout(tx, { programId, partnerId, currency, amountCents }, lines, ctx.now());
    await updateInPayouts(
      tx,
      due.map(({ id, dueCents }) => ({ id, cents: dueCents })),
    );
    return payoutId;
  });
}
