import { type Customer, hasClickedAfter, isOfCoupon } from '../customers/customer.ts';
import { updateLeads } from '../customers/customer-store.ts';
import type { Queryable } from '../db/db.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import type { TrackingContext } from '../tracking-context.ts';
import { holderOf } from './candidates.ts';
import { lockCandidates } from './lead-lookup-store.ts';

/**
 * Binds a key that the backend put on a payment to the customer who paid, if both are free. If the key's holder was created by a
 * coupon after this customer's click, or is one of those who only claimed it, the key moves to this customer. `whenMoved` is told who
 * lost it, in the same transaction: what follows from it is never forgotten.
 */
export async function bindKey(
  ctx: TrackingContext,
  payer: Customer,
  customerKey: string,
  claimantIds: number[],
  whenMoved: (tx: Queryable, loserId: number) => Promise<void>,
): Promise<void> {
  if (payer.customerKey !== null) return;
  const key = { programId: payer.programId, customerKey, isTest: payer.isTest };
  await retryOnConflict(() =>
    ctx.db.transaction(async (tx) => {
      const locked = await lockCandidates(tx, [payer.id], [key]);
      const customer = locked.find(({ id }) => id === payer.id);
      const holder = holderOf(locked, key);
      if (customer?.customerKey !== null) return;
      if (holder && !claimantIds.includes(holder.id) && !hasClickedBefore(customer, holder)) return;
      if (holder) {
        await updateLeads(tx, [{ customer: { ...holder, customerKey: null }, email: null }]);
        await whenMoved(tx, holder.id);
      }
      await updateLeads(tx, [{ customer: { ...customer, customerKey }, email: null }]);
    }),
  );
}

/** Whether the customer clicked before a coupon created the other one. */
function hasClickedBefore(customer: Customer, other: Customer): boolean {
  const { assignedAt } = other;
  if (!isOfCoupon(other) || assignedAt === null) return false;
  return customer.clickedAt !== null && !hasClickedAfter(customer, assignedAt);
}
