/** @import { Order, Refund } from './shop.js' */
// #region refund
import { svc } from '@svc/node';

/**
 * @param {Order} order yours
 * @param {Refund} refund yours
 */
export async function orderRefunded(order, refund) {
  return svc.refund({
    transaction_id: String(order.id), // the sale's transaction_id
    refund_amount_cents: refund.amountCents, // omit to refund the remaining amount
    refund_id: String(refund.id), // makes it safe to resend
  });
}
// #endregion
