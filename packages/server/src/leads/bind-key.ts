import type { Customer } from '../customers/customer.ts';
import { updateLeads } from '../customers/customer-store.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import type { TrackingContext } from '../tracking-context.ts';
import { holderOf } from './candidates.ts';
import { lockCandidates } from './lead-lookup-store.ts';

/** Binds a key that the backend put on a payment to the customer who paid, if both are free. */
export async function bindKey(ctx: TrackingContext, payer: Customer, customerKey: string): Promise<void> {
  if (payer.customerKey !== null) return;
  const key = { programId: payer.programId, customerKey, isTest: payer.isTest };
  await retryOnConflict(() =>
    ctx.db.transaction(async (tx) => {
      const locked = await lockCandidates(tx, [payer.id], [key]);
      const customer = locked.find(({ id }) => id === payer.id);
      if (customer?.customerKey !== null || holderOf(locked, key)) return;
      await updateLeads(tx, [{ customer: { ...customer, customerKey }, email: null }]);
    }),
  );
}
