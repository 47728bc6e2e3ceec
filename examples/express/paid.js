/** @import { Order } from './shop.js' */
// #region sale
import { svc } from '@svc/node';

/** @param {Order} order yours */
export async function orderPaid(order) {
  return svc.sale({
    transaction_id: String(order.id), // unique for this payment; reuse it when you resend
    customer_key: String(order.userId),
    amount_cents: order.amountCents, // integer in the smallest currency unit: 49.00 is 4900
    currency: order.currency,
    tax_cents: order.taxCents, // optional, like shipping_cents: the parts that programs paying on net amounts leave out
    is_recurring: order.isRenewal === true, // true from the second payment of a subscription on
  });
}
// #endregion
