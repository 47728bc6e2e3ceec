import type { Actor } from '../../audit/audit-store.ts';
import { findUserForUpdate, listPayoutTexts } from '../user-store.ts';
import { type PayoutMethodContext, takePayoutText } from './change-payout-method.ts';

const BATCH = 100;

/** Turns the texts of all accounts into payout methods, one account a transaction, and returns how many. */
export async function sealPayoutTexts(ctx: PayoutMethodContext, actor: Actor): Promise<number> {
  let sealed = 0;
  for (;;) {
    const userIds = await listPayoutTexts(ctx.db, BATCH);
    for (const userId of userIds) if (await seal(ctx, userId, actor)) sealed += 1;
    if (userIds.length < BATCH) return sealed;
  }
}

function seal(ctx: PayoutMethodContext, userId: string, actor: Actor): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const user = await findUserForUpdate(tx, userId);
    return user !== null && takePayoutText(tx, ctx, user, actor);
  });
}
