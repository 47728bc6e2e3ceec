import { everythingStored, manage, memberOf } from '@svc/testkit/service/accounts.ts';
import {
  type Buyer,
  deliver,
  GENERATIONS,
  ledger,
  newId,
  OWN,
  StripeEvents,
  withBuyer,
} from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

/** The events of the program, newest first, as its owner sees them. */
async function eventsOf(made: Buyer): Promise<object[]> {
  const owner = await memberOf(service, made.workspaceId);
  const { body } = await service.call('GET', manage(made, '/processor/events'), { key: owner.token });
  return body.data;
}

describe.each(GENERATIONS)('an event with livemode false, on API version %s', (generation) => {
  const events = () => new StripeEvents(generation, service.time);

  it('records a test sale without commission or conversion, which no report or readiness signal includes', async () => {
    const made = await withBuyer(service);
    const owner = await memberOf(service, made.workspaceId);
    const read = async (path: string) =>
      (await service.call('GET', manage(made, path), { key: owner.token })).body.data;
    const before = (await service.readiness(made.apiKey)).body;
    const stripe = events();
    const session = stripe.session(OWN);
    expect(await deliver(service, made.id, stripe.event('checkout.session.completed', session, false))).toBe(
      'test_recorded',
    );

    const [sale] = await service.sql('select is_test, commission_state from sales where program_id = $1', [made.id]);
    expect(sale).toEqual({ is_test: true, commission_state: 'none' });
    expect(await ledger(service, made.id)).toEqual([]);
    expect(await service.counts(made.id)).toMatchObject({ sales: 1, commissions: 0 });
    const [customer] = await service.sql('select status, converted_at from customers where id = $1', [made.customerId]);
    expect(customer).toEqual({ status: 'lead', converted_at: null });
    const after = (await service.readiness(made.apiKey)).body;
    expect(after.last_event_at).toEqual(before.last_event_at);
    expect(after.counts_24h).toEqual(before.counts_24h);
    expect((await read('/performance')).totals.sales).toBe(0);
    expect(await read('/commissions')).toEqual([]);
  });

  it('says whom a real payment would credit, and does not change that customer', async () => {
    const made = await withBuyer(service, { leadAuth: 'server_required' });
    const clickId = await service.clickId(made.link);
    await service.lead({ click_id: clickId, customer_key: 'user-2' });
    const stripe = events();
    const [customer, subscription] = [newId('cus'), newId('sub')];
    const customerId = Number(clickId.split('_')[1]);
    const invoice = stripe.invoice({ metadata: { svc_click_id: clickId }, customer, subscription });
    const paid = stripe.event('invoice.paid', invoice, false);
    expect(await deliver(service, made.id, paid)).toBe('test_recorded');
    const [row] = await service.sql(
      'select lead_state, customer_key, status, converted_at from customers where id = $1',
      [customerId],
    );
    expect(row).toEqual({ lead_state: 'provisional', customer_key: null, status: 'lead', converted_at: null });
    expect(await eventsOf(made)).toMatchObject([
      { event_id: paid.id, outcome: 'test_recorded', customer_id: customerId, partner_id: made.partnerId, hint: null },
    ]);
    const [decision] = await service.sql(
      `select reason, is_test, facts from decisions where program_id = $1 and kind = 'sale'`,
      [made.id],
    );
    expect(decision).toMatchObject({
      reason: 'test_event',
      is_test: true,
      facts: { would_credit_customer_id: customerId, would_credit_partner_id: made.partnerId },
    });
    // The next invoice has no metadata. In live mode, its customer would be known by now as well.
    const next = stripe.event('invoice.paid', stripe.invoice({ customer, subscription }), false);
    expect(await deliver(service, made.id, next)).toBe('test_recorded');
    expect(await ledger(service, made.id)).toEqual([]);
  });

  it.each<[string, object, string | null]>([
    ['no metadata', {}, null],
    ['a key that nobody holds', { svc_customer_key: 'user-9' }, null],
    ['svc_clickid', { svc_clickid: 'x' }, 'svc_click_id'],
    ['svcClickId', { svcClickId: 'x' }, 'svc_click_id'],
    ['click_id', { click_id: 'x' }, 'svc_click_id'],
    ['svc_custmer_key', { svc_custmer_key: 'user-1' }, 'svc_customer_key'],
    ['customerKey', { customerKey: 'user-1' }, 'svc_customer_key'],
    ['a field of the shop', { order_id: '7', color: 'red' }, null],
  ])('with %s looks wrong, and records nothing', async (_name, metadata, meant) => {
    const made = await withBuyer(service);
    const stripe = events();
    const session = stripe.event('checkout.session.completed', stripe.session({ metadata }), false);
    expect(await deliver(service, made.id, session)).toBe('test_no_customer');
    const hint = meant && `The metadata has a field “${Object.keys(metadata)[0]}”. Did you mean “${meant}”?`;
    expect(await eventsOf(made)).toMatchObject([{ outcome: 'test_no_customer', customer_id: null, hint }]);
    expect(await service.counts(made.id)).toMatchObject({ sales: 0, commissions: 0 });

    const live = stripe.event('checkout.session.completed', stripe.session({ metadata }));
    expect(await deliver(service, made.id, live)).toBe('no_customer');
    expect(await eventsOf(made)).toMatchObject([{ outcome: 'no_customer', hint }, { outcome: 'test_no_customer' }]);
  });

  it('with a misspelt field on a payment intent or a subscription checkout looks wrong', async () => {
    const made = await withBuyer(service);
    const stripe = events();
    const metadata = { svc_clik_id: 'x' };
    const intent = stripe.paymentIntent({ cents: 100, metadata });
    const session = stripe.session({ metadata, customer: newId('cus'), subscription: newId('sub') });
    await deliver(service, made.id, stripe.event('payment_intent.succeeded', intent, false));
    await deliver(service, made.id, stripe.event('checkout.session.completed', session, false));
    const hint = expect.stringContaining('Did you mean “svc_click_id”?');
    const wrong = { outcome: 'test_no_customer', hint };
    expect(await eventsOf(made)).toMatchObject([wrong, wrong]);
  });

  it('finds test customers and records test sales for them', async () => {
    const made = await withBuyer(service);
    const test = { additional_data: { test_mode: true } };
    const { body } = await service.click({ affiliate_url: `https://acme.test/?aff=${made.link}`, ...test });
    const stripe = events();
    const session = stripe.session({ metadata: { svc_click_id: body.click_id } });
    await deliver(service, made.id, stripe.event('checkout.session.completed', session, false));
    const [sale] = await service.sql('select is_test, customer_id from sales where program_id = $1', [made.id]);
    expect(sale).toEqual({ is_test: true, customer_id: Number(body.click_id.split('_')[1]) });
  });

  it('records a test refund for a test sale', async () => {
    const made = await withBuyer(service);
    const stripe = events();
    const session = stripe.session(OWN);
    await deliver(service, made.id, stripe.event('checkout.session.completed', session, false));
    const charge = stripe.charge({ paymentIntent: session.payment_intent, cents: 5_000, refunded: 5_000 });
    expect(await deliver(service, made.id, stripe.event('charge.refunded', charge, false))).toBe('refunded');
    const decisions = await service.sql(`select is_test from decisions where program_id = $1 and kind = 'refund'`, [
      made.id,
    ]);
    expect(decisions).toEqual([{ is_test: true }]);
  });

  it('counts as real if the program’s connection is a sandbox', async () => {
    const made = await withBuyer(service, {}, { isSandbox: true });
    const stripe = events();
    const session = stripe.session(OWN);
    expect(await deliver(service, made.id, stripe.event('checkout.session.completed', session, false))).toBe(
      'recorded',
    );
    expect(await ledger(service, made.id)).toMatchObject([{ id: session.payment_intent, commission: 1_000 }]);
    expect((await service.readiness(made.apiKey)).body.counts_24h.sales).toBe(1);
    expect(await everythingStored(service)).toContain(session.payment_intent);
  });

  it('counts as real in a sandbox, like live events', async () => {
    const made = await withBuyer(service, {}, { isSandbox: true });
    const stripe = events();
    await deliver(service, made.id, stripe.event('checkout.session.completed', stripe.session(OWN)));
    expect(await ledger(service, made.id)).toHaveLength(1);
  });
});
