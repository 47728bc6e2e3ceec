import { deliver, ledger, newId, OWN, StripeEvents, withBuyer } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

/** A payment of 50.00 of which 30.00 were captured, and the events of its charge and refunds in one version of the API. */
async function captured(apiVersion: string) {
  const { id } = await withBuyer(service, { commissionType: 'percent', commissionRate: '20' });
  const stripe = new StripeEvents('2024', service.time);
  const [paymentIntent, chargeId] = [newId('pi'), newId('ch')];
  const versioned = (type: string, object: object) => ({ ...stripe.event(type, object), api_version: apiVersion });
  const intent = stripe.paymentIntent({ ...OWN, id: paymentIntent, cents: 5_000 });
  return {
    id,
    paid: versioned('payment_intent.succeeded', { ...intent, amount_received: 3_000 }),
    charge: (refunded: number) => {
      const charge = stripe.charge({ id: chargeId, paymentIntent, cents: 5_000, refunded });
      return versioned('charge.refunded', { ...charge, amount_captured: 3_000 });
    },
    refund: (cents: number) => versioned('refund.created', stripe.refund({ charge: chargeId, paymentIntent, cents })),
  };
}

const left = async (id: number) =>
  (await ledger(service, id)).map(({ cents, refunded, deducted }) => [cents, refunded, deducted]);

describe('the rest of a payment that was not captured', () => {
  it('is no refund, although versions before 2025-03-31 call it one', async () => {
    const { id, paid, charge, refund } = await captured('2024-06-20');
    for (const event of [paid, refund(2_000), charge(2_000)]) await deliver(service, id, event);
    expect(await left(id)).toEqual([[3_000, 0, 0]]);
    // 10.00 of what was captured are refunded.
    await deliver(service, id, refund(1_000), charge(3_000));
    expect(await left(id)).toEqual([[3_000, 1_000, 200]]);
  });

  it('is no refund, whatever comes first', async () => {
    const { id, paid, charge, refund } = await captured('2024-06-20');
    await deliver(service, id, charge(3_000), refund(1_000), refund(2_000), paid);
    expect(await left(id)).toEqual([[3_000, 1_000, 200]]);
  });

  it('is not taken for one where it is released', async () => {
    const { id, paid, charge, refund } = await captured('2025-03-31.basil');
    await deliver(service, id, paid, refund(2_500), charge(2_500));
    expect(await left(id)).toEqual([[3_000, 2_500, 500]]);
  });
});
