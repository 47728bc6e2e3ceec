// Stands for your own code: it would look the user up.
import Stripe from 'stripe';

export const stripe = new Stripe(process.env.STRIPE_SECRET_KEY ?? '');

/**
 * @param {string | null} customerKey
 * @returns {Promise<string>}
 */
export async function stripeCustomerOf(customerKey) {
  return `cus_${customerKey}`;
}
