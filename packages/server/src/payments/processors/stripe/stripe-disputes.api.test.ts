import { manage, memberOf } from '@svc/testkit/service/accounts.ts';
import { type Buyer, deliver, newId, StripeEvents, withBuyer } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

/** A payment of 4,900 that can be disputed and refunded. */
async function paid() {
  const made = await withBuyer(service);
  const stripe = new StripeEvents('2026', service.time);
  const session = stripe.session({ metadata: { svc_customer_key: 'user-1' }, cents: 4_900 });
  await deliver(service, made.id, stripe.event('checkout.session.completed', session));
  const of = { id: newId('du'), charge: newId('ch'), paymentIntent: session.payment_intent as string };
  const dispute = (type: string, status: string, extra: object = {}) => {
    stripe.at += 60;
    const object = { ...stripe.dispute({ ...of, cents: 4_900, status }), ...extra };
    return deliver(service, made.id, stripe.event(`charge.dispute.${type}`, object));
  };
  const refund = (id: string, cents: number) => {
    stripe.at += 60;
    return deliver(service, made.id, stripe.event('refund.created', stripe.refund({ ...of, id, cents })));
  };
  return { made, stripe, of, transactionId: of.paymentIntent, dispute, refund };
}

async function readAs(made: Buyer, path: string) {
  const owner = await memberOf(service, made.workspaceId);
  return (await service.call('GET', manage(made, path), { key: owner.token })).body.data;
}

/** What explain says about the refunds and disputes of a sale. */
async function explained(made: Buyer, transactionId: string): Promise<Record<string, unknown>[]> {
  const decisions: Record<string, unknown>[] = await readAs(made, `/explain?transaction_id=${transactionId}`);
  return decisions.filter(({ kind }) => kind === 'refund');
}

const reasonsOf = async (made: Buyer, transactionId: string) =>
  (await explained(made, transactionId)).map(({ reason }) => reason);

describe('a dispute', () => {
  it('is called a dispute, with the ids by which Stripe knows it', async () => {
    const { made, of, transactionId, dispute } = await paid();
    expect(await dispute('created', 'needs_response')).toBe('refunded');
    expect(await explained(made, transactionId)).toMatchObject([
      {
        reason: 'payment_disputed',
        sentence:
          'The customer disputed the payment. The disputed amount and its share of the commission are held back until the dispute ends.',
        facts: {
          refunded_cents: 4_900,
          deduction_cents: 980,
          disputes: [{ id: of.id, status: 'open', amount_cents: 4_900, currency: 'USD' }],
          charges: [of.charge],
          payments: [of.paymentIntent],
        },
      },
    ]);
    expect(await readAs(made, '/sales')).toMatchObject([{ refunded_cents: 4_900, disputed_cents: 4_900 }]);
  });

  it('that is won says so when the sale is restored', async () => {
    const { made, of, transactionId, dispute } = await paid();
    await dispute('created', 'needs_response');
    expect(await dispute('closed', 'won')).toBe('restored');
    expect(await explained(made, transactionId)).toMatchObject([
      { reason: 'payment_disputed' },
      { reason: 'dispute_won', facts: { refunded_cents: -4_900, disputes: [{ id: of.id, status: 'won' }] } },
    ]);
    expect(await readAs(made, '/sales')).toMatchObject([{ refunded_cents: 0, disputed_cents: 0 }]);
  });

  it('that is lost says so once, although it changes nothing more', async () => {
    const { made, of, transactionId, dispute } = await paid();
    await dispute('created', 'needs_response');
    expect(await dispute('closed', 'lost')).toBe('unchanged');
    await dispute('closed', 'lost');
    await dispute('funds_withdrawn', 'lost');
    expect(await explained(made, transactionId)).toMatchObject([
      { reason: 'payment_disputed' },
      { reason: 'dispute_lost', facts: { refunded_cents: 0, disputes: [{ id: of.id, status: 'lost' }] } },
    ]);
  });

  it('whose end arrives first is lost at once', async () => {
    const { made, transactionId, dispute } = await paid();
    await dispute('closed', 'lost');
    await dispute('created', 'needs_response');
    expect(await reasonsOf(made, transactionId)).toEqual(['dispute_lost']);
  });

  it('whose amount is raised takes back what it is about now, in whatever order Stripe says so', async () => {
    const { made, dispute } = await paid();
    const created = () => dispute('created', 'needs_response', { amount: 2_000 });
    await created();
    expect(await readAs(made, '/sales')).toMatchObject([{ refunded_cents: 2_000, disputed_cents: 2_000 }]);
    await dispute('updated', 'needs_response', { amount: 4_900 });
    await created();
    expect(await readAs(made, '/sales')).toMatchObject([{ refunded_cents: 4_900, disputed_cents: 4_900 }]);
  });

  it('after a partial refund is told apart from it', async () => {
    const { made, transactionId, dispute, refund } = await paid();
    await refund('re_1', 1_000);
    await dispute('created', 'needs_response', { amount: 3_900 });
    await dispute('closed', 'won', { amount: 3_900 });
    expect(await explained(made, transactionId)).toMatchObject([
      { reason: 'commission_partially_reversed', facts: { refunds: [{ id: 're_1', status: 'succeeded' }] } },
      { reason: 'payment_disputed', facts: { refunds: [{ id: 're_1' }], disputes: [{ status: 'open' }] } },
      { reason: 'dispute_won' },
    ]);
    expect(await readAs(made, '/sales')).toMatchObject([{ refunded_cents: 1_000, disputed_cents: 0 }]);
  });

  it('in a currency that cannot be converted yet holds back the whole payment until it ends', async () => {
    const { made, transactionId, dispute } = await paid();
    expect(await dispute('created', 'needs_response', { currency: 'eur', amount: 4_100 })).toBe('refunded');
    expect(await readAs(made, '/sales')).toMatchObject([{ refunded_cents: 4_900, disputed_cents: 4_900 }]);
    expect(await dispute('closed', 'won', { currency: 'eur', amount: 4_100 })).toBe('restored');
    expect(await reasonsOf(made, transactionId)).toEqual(['payment_disputed', 'dispute_won']);
  });
});

describe('a refund', () => {
  it('that fails in the very second of its charge.refunded is not deducted, in either order', async () => {
    for (const isReversed of [false, true]) {
      const { made, stripe, of } = await paid();
      const refunded = stripe.charge({ ...of, id: of.charge, cents: 4_900, refunded: 1_000 });
      const events = [
        stripe.event('charge.refunded', refunded),
        stripe.event('refund.failed', stripe.refund({ ...of, id: 're_1', cents: 1_000, status: 'failed' })),
      ];
      await deliver(service, made.id, ...(isReversed ? events.toReversed() : events));
      expect(await readAs(made, '/sales')).toMatchObject([{ refunded_cents: 0 }]);
    }
  });

  it('that follows a failed one in the same second stays deducted, in any order', async () => {
    for (const turn of [0, 1, 2]) {
      const { made, stripe, of } = await paid();
      const refund = (id: string, status: string) => stripe.refund({ ...of, id, cents: 1_000, status });
      const events = [
        stripe.event('refund.failed', refund('re_1', 'failed')),
        stripe.event('refund.created', refund('re_2', 'succeeded')),
        stripe.event('charge.refunded', stripe.charge({ ...of, id: of.charge, cents: 4_900, refunded: 1_000 })),
      ];
      await deliver(service, made.id, ...events.slice(turn), ...events.slice(0, turn));
      expect(await readAs(made, '/sales')).toMatchObject([{ refunded_cents: 1_000, disputed_cents: 0 }]);
    }
  });
});
