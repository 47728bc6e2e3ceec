import { grantCredit } from './credit.js';

/**
 * Does what an event calls for. Events can arrive more than once and in any order, so each thing is done under the id of the event.
 *
 * @param {import('@svc/node').SvcWebhook} event
 */
export async function handle(event) {
  switch (event.type) {
    case 'credit.granted':
      return grantCredit(event);
    case 'sale.created':
      console.log(`${event.sequence}: ${event.data.sale.transaction_id}, ${event.data.sale.amount_cents}`);
      return;
    case 'webhook.test':
      console.log(event.data.message);
      return;
  }
}
