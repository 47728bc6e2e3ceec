import {
  connectStripe,
  deliver,
  GENERATIONS,
  ledger,
  newId,
  OWN,
  StripeEvents,
  settle,
  withBuyer,
} from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

describe.each(GENERATIONS)('on API version %s', (generation) => {
  const events = () => new StripeEvents(generation, service.time);

  it('a paid checkout.session.completed records a sale under its payment intent', async () => {
    const { id } = await withBuyer(service);
    const stripe = events();
    const session = stripe.session({ ...OWN, cents: 4_900 });
    expect(await deliver(service, id, stripe.event('checkout.session.completed', session))).toBe('recorded');
    expect(await ledger(service, id)).toEqual([
      {
        id: session.payment_intent,
        cents: 4_900,
        currency: 'USD',
        refunded: 0,
        recurring: false,
        commission: 980,
        deducted: 0,
        reversal: 'none',
        stage: 'pending',
      },
    ]);
  });

  it('a session without a payment intent is recorded under its own id', async () => {
    const { id } = await withBuyer(service);
    const stripe = events();
    const session = stripe.session({ ...OWN, paymentIntent: null });
    await deliver(service, id, stripe.event('checkout.session.completed', session));
    expect((await ledger(service, id)).map((sale) => sale.id)).toEqual([session.id]);
  });

  it('checkout.session.async_payment_succeeded records a session that completed unpaid', async () => {
    const { id } = await withBuyer(service);
    const stripe = events();
    const session = stripe.session(OWN);
    const unpaid = { ...session, payment_status: 'unpaid' };
    expect(await deliver(service, id, stripe.event('checkout.session.completed', unpaid))).toBe('not_paid');
    expect(await ledger(service, id)).toEqual([]);
    const paid = stripe.event('checkout.session.async_payment_succeeded', session);
    expect(await deliver(service, id, paid)).toBe('recorded');
    expect((await ledger(service, id)).map((sale) => sale.id)).toEqual([session.payment_intent]);
  });

  it('a checkout that is captured later is recorded from its payment intent, once, in any order', async () => {
    for (const isReversed of [false, true]) {
      const { id } = await withBuyer(service);
      const stripe = events();
      const session = stripe.session({ ...OWN, cents: 5_000 });
      const completed = stripe.event('checkout.session.completed', { ...session, payment_status: 'unpaid' });
      stripe.at += 3_600;
      const authorized = stripe.paymentIntent({ id: session.payment_intent, cents: 5_000 });
      const intent: typeof authorized = { ...authorized, capture_method: 'manual', amount_received: 4_200 };
      const captured = stripe.event('payment_intent.succeeded', intent);
      await deliver(service, id, ...(isReversed ? [captured, completed] : [completed, captured]));
      await settle(service);
      await deliver(service, id, stripe.event('payment_intent.succeeded', intent));
      expect(await ledger(service, id)).toMatchObject([{ id: intent.id, cents: 4_200, commission: 840 }]);
    }
  });

  it('a payment intent that is neither ours nor announced by a checkout is not used', async () => {
    const { id } = await withBuyer(service);
    const stripe = events();
    const customer = newId('cus');
    const session = stripe.session({ ...OWN, customer });
    await deliver(service, id, stripe.event('checkout.session.completed', session));
    const intent = stripe.paymentIntent({ cents: 700, customer });
    expect(await deliver(service, id, stripe.event('payment_intent.succeeded', intent))).toBe('not_used');
    expect(await ledger(service, id)).toHaveLength(1);
  });

  it('a customer is recognized by their account as well', async () => {
    const { id } = await withBuyer(service);
    const stripe = events();
    const extra = { customer_account: newId('acct') };
    const session = stripe.session({ ...OWN, extra });
    await deliver(service, id, stripe.event('checkout.session.completed', session));
    const next = stripe.event('checkout.session.completed', stripe.session({ extra }));
    expect(await deliver(service, id, next)).toBe('recorded');
  });

  it.each(['ang', 'std'])('a payment in %s is recorded', async (currency) => {
    const { id } = await withBuyer(service);
    const stripe = events();
    const session = stripe.session({ ...OWN, currency, cents: 4_900 });
    expect(await deliver(service, id, stripe.event('checkout.session.completed', session))).toBe('recorded');
    expect(await ledger(service, id)).toMatchObject([{ currency: currency.toUpperCase(), cents: 4_900 }]);
  });

  it('a subscription checkout leaves the sale to the invoice, whose customer it identifies', async () => {
    const { id } = await withBuyer(service);
    const stripe = events();
    const [cus, subscription] = [newId('cus'), newId('sub')];
    const session = stripe.session({ ...OWN, customer: cus, subscription });
    const invoice = stripe.invoice({ customer: cus, subscription, cents: 2_000 });
    expect(await deliver(service, id, stripe.event('checkout.session.completed', session))).toBe('left_to_invoice');
    expect(await ledger(service, id)).toEqual([]);
    expect(await deliver(service, id, stripe.event('invoice.payment_succeeded', invoice))).toBe('recorded');
    expect(await ledger(service, id)).toMatchObject([{ id: invoice.id, cents: 2_000, commission: 400 }]);
  });

  it('an invoice that arrives before its checkout session waits for it', async () => {
    const { id } = await withBuyer(service);
    const stripe = events();
    const [cus, subscription] = [newId('cus'), newId('sub')];
    const invoice = stripe.invoice({ customer: cus, subscription });
    const session = stripe.session({
      metadata: { svc_click_id: 'x', svc_customer_key: 'user-1' },
      customer: cus,
      subscription,
    });
    expect(await deliver(service, id, stripe.event('invoice.paid', invoice))).toBe('no_customer');
    await deliver(service, id, stripe.event('checkout.session.completed', session));
    expect((await ledger(service, id)).map((sale) => sale.id)).toEqual([invoice.id]);
  });

  it('an invoice is recorded once it is paid in full, with the whole amount, however it is paid in parts', async () => {
    const { id } = await withBuyer(service);
    const stripe = events();
    const invoice = stripe.invoice({ ...OWN, cents: 5_000 });
    const inPart = stripe.event('invoice.payment_succeeded', { ...invoice, status: 'open', amount_paid: 2_000 });
    expect(await deliver(service, id, inPart)).toBe('not_paid');
    expect(await ledger(service, id)).toEqual([]);
    expect(await deliver(service, id, stripe.event('invoice.paid', invoice))).toBe('recorded');
    expect(await ledger(service, id)).toMatchObject([{ cents: 5_000, commission: 1_000 }]);
  });

  it('invoice.paid and invoice.payment_succeeded of the same invoice record one sale', async () => {
    const { id } = await withBuyer(service);
    const stripe = events();
    const invoice = stripe.invoice(OWN);
    expect(await deliver(service, id, stripe.event('invoice.paid', invoice))).toBe('recorded');
    expect(await deliver(service, id, stripe.event('invoice.payment_succeeded', invoice))).toBe('duplicate');
    expect(await ledger(service, id)).toHaveLength(1);
  });

  it('a payment confirms a provisional lead and records the sale', async () => {
    const made = await service.program({ leadAuth: 'server_required' });
    await connectStripe(service, made);
    const clickId = await service.clickId(made.link);
    const lead = await service.lead({ click_id: clickId, customer_key: 'user-2' });
    expect(lead.body.provisional).toBe(true);
    const stripe = events();
    const session = stripe.session({ metadata: { svc_customer_key: 'user-2' } });
    const completed = stripe.event('checkout.session.completed', session);
    expect(await deliver(service, made.program.id, completed)).toBe('settled_and_recorded');
    const [row] = await service.sql('select lead_state, customer_key, status from customers where program_id = $1', [
      made.program.id,
    ]);
    expect(row).toEqual({ lead_state: 'settled', customer_key: 'user-2', status: 'conversion' });
  });
});
