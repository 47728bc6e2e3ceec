/** @typedef {{ id: string, cents: number, taxCents: number, currency: string, userId?: string, clickId?: string }} Order */
// #region payment
import { reportEvent } from './report-event.js';

/** @param {Order} order yours, once it is paid */
export async function orderPaid(order) {
  await reportEvent(`paid-${order.id}`, {
    type: 'payment',
    at: new Date().toISOString(),
    transaction_id: order.id,
    amount_cents: order.cents, // what was paid, in the smallest unit: 49.00 is 4900
    tax_cents: order.taxCents, // how much of it is tax
    currency: order.currency,
    payer: { customer_key: order.userId, click_id: order.clickId }, // the user’s id as at signup; the cookie svc_click_id
  });
}
// #endregion
// #region refund

/**
 * @param {Order} order yours
 * @param {{ id: string, cents: number }} refund yours
 */
export async function orderRefunded(order, refund) {
  await reportEvent(`refunded-${refund.id}`, {
    type: 'refund',
    at: new Date().toISOString(),
    refund_id: refund.id,
    transaction_id: order.id,
    amount_cents: refund.cents,
    currency: order.currency,
  });
}
// #endregion
