import { manage, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { customerIdOf } from '@svc/testkit/service/decisions.ts';
import { mcpClient } from '@svc/testkit/service/mcp-client.ts';
import { connectStripe, deliver, StripeEvents } from '@svc/testkit/service/payments/stripe.ts';
import { publish } from '@svc/testkit/service/published-terms.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const call = (made: OwnedProgram, method: string, path: string, body?: object) =>
  service.call(method, manage(made, path), { key: made.owner.token, body });
const dataOf = async (made: OwnedProgram, path: string) => (await call(made, 'GET', path)).body.data;
const ask = async (made: OwnedProgram, about: object) =>
  (await call(made, 'POST', '/questions', { partner_id: made.partnerId, ...about })).body.data.answers;

/** Somebody who clicked and signed up 40 seconds later. */
async function signedUp(made: OwnedProgram, customer_key = newId('user')) {
  const click_id = await service.clickId(made.link);
  service.advance({ seconds: 40 });
  const email = `${customer_key}@mail.test`;
  await service.lead({ click_id, customer_key, email }, { key: made.apiKey });
  service.advance({ seconds: 40 });
  return { customer_key, click_id, email, customerId: customerIdOf(click_id) };
}

const pay = (made: OwnedProgram, sale: object) => service.sale({ amount_cents: 4900, ...sale }, { key: made.apiKey });

describe('a sale that is sent again', () => {
  it('is shown as refused by the set-up guide and by diagnose_tracking', async () => {
    const made = await ownedProgram(service);
    const { customer_key } = await signedUp(made);
    const sale = { transaction_id: newId('order'), customer_key };
    expect((await pay(made, sale)).status).toBe(200);
    service.advance({ seconds: 40 });
    expect((await pay(made, sale)).status).toBe(409);
    const refused = [
      {
        kind: 'sale',
        outcome: 'refused',
        reason: 'duplicate_transaction',
        sentence: 'A sale with this transaction id has already been recorded. It is counted once.',
        message: null,
        field: null,
        origin: null,
        calls: 1,
        transaction_id: sale.transaction_id,
        customer_key,
        click_id: null,
        click_age_days: 1,
        window_days: 60,
        is_test: false,
        at: service.time.toISOString(),
      },
    ];
    const { status, body } = await call(made, 'GET', '/setup');
    expect(status).toBe(200);
    expect(body.data.refused).toEqual(refused);
    const owner = await mcpClient(service, made.owner);
    const diagnosed = await owner.run('diagnose_tracking', { program_id: made.program.id });
    expect(diagnosed).toMatchObject({ isError: false, result: { refused_events: refused } });
  });

  it('leaves the answer about the order, by its id and by the address, as it was', async () => {
    const made = await ownedProgram(service);
    const { customer_key, email } = await signedUp(made);
    const transaction_id = newId('order');
    await pay(made, { transaction_id, customer_key });
    const paid_at = service.time.toISOString();
    service.advance({ seconds: 40 });
    await pay(made, { transaction_id, customer_key });
    for (const about of [{ transaction_id }, { email }]) {
      expect(await ask(made, about)).toMatchObject([
        { answer: 'credited', transaction_id, paid_at, amount_cents: 4900 },
      ]);
    }
  });

  it('is in the list of events, in the journey and in Explain, where the click keeps its exact age', async () => {
    const made = await ownedProgram(service);
    const { customer_key, customerId } = await signedUp(made);
    const transaction_id = newId('order');
    await pay(made, { transaction_id, customer_key });
    await pay(made, { transaction_id, customer_key });
    const refused = { type: 'sale', reason: 'duplicate_transaction', amount_cents: 4900, currency: 'USD' };
    expect(await dataOf(made, '/events?outcome=refused')).toMatchObject([{ ...refused, transaction_id }]);
    const { journey } = await dataOf(made, `/customers/${customerId}`);
    expect(journey.filter(({ outcome }: { outcome: string }) => outcome === 'refused')).toMatchObject([refused]);
    expect(await dataOf(made, `/explain?transaction_id=${transaction_id}`)).toMatchObject([
      { reason: 'sale_attributed', facts: { click_age_days: 0.01 } },
      { reason: 'duplicate_transaction', facts: { click_age_days: 0.01 } },
    ]);
  });
});

describe('the age of a click, in whole days', () => {
  it('is rounded up, so that an expired click never looks valid', async () => {
    const made = await ownedProgram(service, { attributionWindowDays: 30 });
    const click_id = await service.clickId(made.link);
    service.advance({ days: 30, seconds: 40 });
    const email = `${newId('carol')}@mail.test`;
    await service.lead({ click_id, email }, { key: made.apiKey });
    service.advance({ days: 2, seconds: 40 });
    const transaction_id = newId('order');
    expect((await pay(made, { transaction_id, click_id })).body.data).toMatchObject({ click_age_days: 30.01 });
    expect((await dataOf(made, '/setup')).refused).toMatchObject([
      { reason: 'attribution_window_expired', click_age_days: 31, window_days: 30 },
    ]);
    for (const about of [{ transaction_id }, { email }]) {
      expect(await ask(made, about)).toMatchObject([
        {
          answer: 'window_expired',
          sentence:
            'Your link was clicked 31 days before the customer signed up. The program counts clicks for 30 days.',
          amount_cents: 4900,
          click_age_days: 31,
          window_days: 30,
        },
      ]);
    }
  });

  it('is that of an order that was refused because the partner was blocked', async () => {
    const made = await ownedProgram(service);
    const { customer_key, email } = await signedUp(made);
    await call(made, 'PATCH', `/partners/${made.partnerId}`, { status: 'blocked' });
    const transaction_id = newId('order');
    expect((await pay(made, { transaction_id, customer_key })).status).toBe(400);
    for (const about of [{ transaction_id }, { email }]) {
      expect(await ask(made, about)).toMatchObject([
        {
          answer: 'not_recorded',
          sentence: 'This order came through your link while you were blocked in the program.',
          transaction_id,
          paid_at: service.time.toISOString(),
          click_age_days: 1,
          window_days: 60,
        },
      ]);
    }
  });

  it('is negative if the click came after the payment', async () => {
    const made = await ownedProgram(service);
    await connectStripe(service, made);
    const stripe = new StripeEvents('2026', service.time);
    const paid_at = service.time.toISOString();
    service.advance({ days: 2, seconds: 43_200 });
    const svc_click_id = await service.clickId(made.link);
    const session = stripe.session({ metadata: { svc_click_id } });
    expect(await deliver(service, made.program.id, stripe.event('checkout.session.completed', session))).toBe(
      'click_after_payment',
    );
    expect((await dataOf(made, '/setup')).refused).toMatchObject([
      { reason: 'click_after_payment', click_age_days: -2 },
    ]);
    expect(await ask(made, { transaction_id: session.payment_intent })).toMatchObject([
      { answer: 'not_recorded', paid_at, click_age_days: -2 },
    ]);
  });
});

describe('the decisions about an erased customer', () => {
  const erase = (made: OwnedProgram, customerId: number) => call(made, 'POST', `/customers/${customerId}/erase`, {});

  it('are still shown if the customer key was an amount among their facts', async () => {
    const made = await ownedProgram(service);
    await publish(service, made, [{ on: 'lead', pays: { type: 'fixed', rate: 5 } }]);
    const { customerId } = await signedUp(made, '500');
    expect((await erase(made, customerId)).status).toBe(200);
    const { journey } = await dataOf(made, `/customers/${customerId}`);
    expect(journey).toMatchObject([
      { type: 'click' },
      { type: 'lead', reason: 'lead_recorded', amount_cents: null },
      { type: 'commission', amount_cents: 500 },
    ]);
  });

  it('are still shown if the customer key was a part of a time among their facts', async () => {
    const made = await ownedProgram(service);
    await connectStripe(service, made);
    const customer_key = service.time.toISOString().slice(0, 7);
    const { customerId, email } = await signedUp(made, customer_key);
    await call(made, 'PATCH', `/partners/${made.partnerId}`, { status: 'blocked' });
    const stripe = new StripeEvents('2026', service.time);
    service.advance({ seconds: 40 });
    const session = stripe.session({ metadata: { svc_customer_key: customer_key }, email });
    await deliver(service, made.program.id, stripe.event('checkout.session.completed', session));
    const decidedAt = service.time.toISOString();
    expect((await erase(made, customerId)).status).toBe(200);
    // When it was paid can no longer be read, so the order is dated by when it was decided.
    expect(await ask(made, { transaction_id: session.payment_intent })).toMatchObject([
      { answer: 'not_recorded', transaction_id: session.payment_intent, paid_at: decidedAt, amount_cents: 5000 },
    ]);
  });
});
