import { findActiveCoupon } from '../../coupons/coupon-store.ts';
import { insertAssignedCustomers } from '../../customers/attribution-store.ts';
import type { Transaction } from '../../db/db.ts';
import { retryOnConflict } from '../../db/retry-on-conflict.ts';
import type { Program } from '../../programs/program.ts';
import { assignedCustomer } from '../../sales/coupon-credit.ts';
import { type EventDetails, requeueWaitingFor } from '../events/event-store.ts';
import { insertIdentities } from '../payer-store.ts';
import type { PaymentsContext } from '../payments-context.ts';
import type { PayerEvidence } from '../processor-fact.ts';
import type { PaymentCoupon } from './identify-coupon.ts';

/**
 * Makes an unknown payer a customer of the coupon's partner, by their key and ids at the processor, so that their later
 * payments are credited too. Of several events about them, one adds the customer. Returns whether they are known now.
 */
export async function addCouponPayer(
  ctx: PaymentsContext,
  program: Program,
  coupon: PaymentCoupon | null,
  { references, customerKey }: PayerEvidence,
  usedAt: Date,
  event: EventDetails,
): Promise<boolean> {
  const isNamed = references.length > 0 || customerKey !== undefined;
  if (!coupon?.isKnown || event.isTest || !isNamed || program.status !== 'active') return false;
  const holder = await findActiveCoupon(ctx.db, program.id, coupon.code);
  if (!holder) return false;
  const add = async (tx: Transaction) => {
    const customer = assignedCustomer(program.id, customerKey, holder, usedAt);
    const [id] = await insertAssignedCustomers(tx, [{ customer, createdAt: ctx.now() }]);
    const isFirst = id !== undefined && (await insertIdentities(tx, program.id, references, id, event.happenedAt));
    // Another event was faster.
    if (!isFirst) tx.rollBack();
  };
  await retryOnConflict(() => ctx.db.transaction(add));
  await requeueWaitingFor(ctx.db, program.id, references, event, ctx.now());
  return true;
}
