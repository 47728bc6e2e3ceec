import { describe, expect, it } from 'vitest';
import { everythingStored, manage, memberOf } from '../../../test/accounts.ts';
import { useService } from '../../../test/service.ts';
import { deliver, GENERATIONS, ledger, newId, StripeEvents, withBuyer } from '../../../test/stripe.ts';

const service = useService();

const OWN = { metadata: { svc_customer_key: 'user-1' } };

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
      'recorded',
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

  it('does not find, confirm or remember a real customer', async () => {
    const made = await withBuyer(service, { leadAuth: 'server_required' });
    const clickId = await service.clickId(made.link);
    await service.lead({ click_id: clickId, customer_key: 'user-2' });
    const stripe = events();
    const customer = newId('cus');
    const invoice = stripe.invoice({ metadata: { svc_click_id: clickId }, customer });
    await deliver(service, made.id, stripe.event('invoice.paid', invoice, false));
    const [row] = await service.sql('select lead_state from customers where id = $1', [Number(clickId.split('_')[1])]);
    expect(row).toEqual({ lead_state: 'provisional' });
    expect(await service.sql('select 1 from processor_identities where program_id = $1', [made.id])).toEqual([]);
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
