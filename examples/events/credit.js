import { stripe, stripeCustomerOf } from './shop.js';

/**
 * Adds the credit to the balance of the customer, which pays their next invoices. Stripe does it once for each event.
 *
 * @param {import('@svc/node').SvcEvents['credit.granted']} event
 */
export async function grantCredit({ id, data: { credit } }) {
  const customer = await stripeCustomerOf(credit.customer_key); // yours
  await stripe.customers.createBalanceTransaction(
    customer,
    { amount: -credit.amount_cents, currency: credit.currency.toLowerCase(), description: 'Referral credit' },
    { idempotencyKey: id },
  );
}
