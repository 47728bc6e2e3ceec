// Stands for your own code: it would save users and orders. This one believes what it is sent.

/** @typedef {{ id: string | number, email: string }} User */
/**
 * @typedef {{
 *   id: string | number, userId?: string, amountCents: number, currency: string, taxCents?: number, isRenewal?: boolean
 * }} Order
 */
/** @typedef {{ id: string | number, amountCents?: number }} Refund */

/**
 * @param {User} body
 * @returns {Promise<User>}
 */
export async function createUser({ id, email }) {
  return { id, email };
}

/**
 * @param {Order} body
 * @returns {Promise<Order>}
 */
export async function completeOrder(body) {
  return body;
}
