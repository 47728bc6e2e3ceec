import { findActiveCoupon } from '../../coupons/coupon-store.ts';
import {
  deleteAssignment,
  findCustomerForUpdate,
  findFirstAssignment,
  updateAssigned,
} from '../../customers/attribution-store.ts';
import { type Customer, isOfCoupon } from '../../customers/customer.ts';
import { movedCustomers } from '../../customers/customer-list-store.ts';
import type { Transaction } from '../../db/db.ts';
import { retryOnConflict } from '../../db/retry-on-conflict.ts';
import { announce } from '../../outbox/announce.ts';
import type { Program } from '../../programs/program.ts';
import type { PaymentsContext } from '../payments-context.ts';
import type { PaymentCoupon } from './identify-coupon.ts';

/**
 * Moves a customer created by a coupon to the partner of a coupon that they used earlier, as if that one had been reported first.
 * Returns whether it was earlier.
 */
export async function applyEarlierCoupon(
  ctx: PaymentsContext,
  program: Program,
  coupon: PaymentCoupon | null,
  customer: Customer,
  usedAt: Date,
): Promise<boolean> {
  const { assignedAt } = customer;
  const mayBeEarlier = coupon?.isKnown && isOfCoupon(customer) && assignedAt !== null && usedAt < assignedAt;
  if (!mayBeEarlier || program.status !== 'active') return false;
  const holder = await findActiveCoupon(ctx.db, program.id, coupon.code);
  if (!holder) return false;
  let isEarlier = false;
  const assign = async (tx: Transaction) => {
    const locked = await findCustomerForUpdate(tx, program.id, customer.id);
    const first = locked && (await findFirstAssignment(tx, locked));
    isEarlier = first !== null && usedAt < first.since;
    if (!first || !isEarlier) return;
    await updateAssigned(tx, [{ ...holder, id: customer.id, assignedAt: usedAt }]);
    const moved = await deleteAssignment(tx, first);
    announce(ctx, tx, [movedCustomers(moved, () => undefined)]);
  };
  await retryOnConflict(() => ctx.db.transaction(assign));
  return isEarlier;
}
