import { manage, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { connectStripe, deliver, StripeEvents } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { decisionsOf } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const call = async (made: OwnedProgram, method: string, path: string) =>
  (await service.call(method, manage(made, path), { key: made.owner.token })).body.data;
const setup = (made: OwnedProgram) => call(made, 'GET', '/setup');

/** A visitor who followed the test link to the brand's site, and the click id that the tracker stored. */
async function tested(made: OwnedProgram): Promise<string> {
  const { url } = await call(made, 'PUT', '/test-link');
  const { body } = await service.click({ affiliate_url: url }, { headers: { origin: 'https://acme.test' } });
  return body.click_id;
}

const NOTHING = { click: null, lead: null, sale: null, refused: [] };

describe('the setup of a program', () => {
  it('does not change by tests that the service makes itself', async () => {
    const made = await ownedProgram(service);
    expect(await setup(made)).toEqual(NOTHING);
    await call(made, 'POST', '/test-chain');
    for (const event_type of ['click', 'lead', 'sale']) {
      await service.call('POST', '/api/v1/cli/test-event', { key: made.apiKey, body: { event_type } });
    }
    expect(await setup(made)).toEqual(NOTHING);
  });

  it('follows a visitor of the test link, whose events are tests without saying so', async () => {
    const made = await ownedProgram(service);
    const at = service.time.toISOString();
    const click_id = await tested(made);
    expect(await setup(made)).toEqual({ ...NOTHING, click: { at, origin: 'https://acme.test', is_test: true } });

    const lead = { click_id, customer_key: newId('user') };
    const signedUp = await service.lead(lead, { headers: { origin: 'https://acme.test' } });
    expect(signedUp.body).toMatchObject({ success: true, data: { programId: made.program.id, test_mode: true } });
    expect((await setup(made)).lead).toEqual({ at, source: 'page', referred: true, is_test: true });

    const transaction_id = newId('order');
    const paid = { transaction_id, amount_cents: 4900, customer_key: lead.customer_key };
    const { status, body } = await service.sale(paid, { key: made.apiKey });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ attributed: true, commission_id: null, test_mode: true });
    expect((await setup(made)).sale).toEqual({
      at,
      source: 'api',
      transaction_id,
      amount_cents: 4900,
      currency: 'USD',
      referred: true,
      is_test: true,
    });
    expect(await decisionsOf(service, made)).toMatchObject([{ is_test: true }, { is_test: true }]);
    expect(await service.counts(made.program.id)).toMatchObject({ commissions: 0 });
    // The test link gives nothing to anybody, so a guest who names only the click is a test as well.
    const guest = { transaction_id: newId('order'), amount_cents: 100, click_id };
    expect((await service.sale(guest, { key: made.apiKey })).body.data).toMatchObject({ test_mode: true });
    expect((await service.readiness(made.apiKey)).body).toMatchObject({
      state: 'integration_verified',
      gates: { tracking: { status: 'pass', checked_at: at }, payout: { status: 'pass', mode: 'api' } },
    });
  });

  it('shows live events, and a test payment at the processor', async () => {
    const made = await ownedProgram(service);
    await sold(service, made);
    const events = await setup(made);
    expect(events).toMatchObject({
      click: { origin: 'https://acme.test', is_test: false },
      lead: { source: 'server', referred: true, is_test: false },
      sale: { source: 'api', amount_cents: 10_000, is_test: false },
    });
    const other = await ownedProgram(service);
    const svc_click_id = await service.clickId(other.link);
    await connectStripe(service, other);
    const stripe = new StripeEvents('2026', service.time);
    const session = stripe.session({ metadata: { svc_click_id } });
    await deliver(service, other.program.id, stripe.event('checkout.session.completed', session, false));
    expect((await setup(other)).sale).toMatchObject({ source: 'processor', referred: true, is_test: true });
  });

  it('says that a signup came without a click, and prefers one that came with it', async () => {
    const made = await ownedProgram(service);
    await service.lead({ customer_key: newId('user') }, { key: made.apiKey });
    expect((await setup(made)).lead).toMatchObject({ referred: false, is_test: false });
    await service.customer(made, newId('user'));
    await service.lead({ customer_key: newId('user') }, { key: made.apiKey });
    expect((await setup(made)).lead).toMatchObject({ referred: true });
  });

  it('lists what was refused with its cause, the latest first and at most 20', async () => {
    const made = await ownedProgram(service);
    const origin = 'http://localhost:5173';
    const affiliate_url = `${origin}/?aff=${made.link}`;
    for (let calls = 0; calls < 2; calls += 1) {
      await service.click({ affiliate_url }, { headers: { origin }, ip: newAddress() });
    }
    service.advance({ seconds: 1 });
    await service.lead({ click_id: 'cust_1_1' }, { key: made.apiKey });
    service.advance({ seconds: 1 });
    await service.sale({ amount_cents: 100, customer_key: 'u' }, { key: made.apiKey });
    expect((await setup(made)).refused).toMatchObject([
      {
        kind: 'sale',
        reason: 'invalid_request',
        message: 'transaction_id is required and must be a string',
        field: 'transaction_id',
        customer_key: 'u',
        origin: null,
      },
      {
        kind: 'lead',
        reason: 'customer_not_found',
        click_id: 'cust_1_1',
        sentence: expect.stringMatching(/^No customer/),
      },
      { kind: 'click', outcome: 'refused', reason: 'origin_not_allowed', origin, calls: 2, transaction_id: null },
    ]);
    for (let index = 0; index < 25; index += 1) await service.sale({}, { key: made.apiKey });
    expect((await setup(made)).refused).toHaveLength(20);
    service.advance({ days: 1, seconds: 1 });
    expect((await setup(made)).refused).toEqual([]);
  });

  it('says how old the click was when a sale is outside the window', async () => {
    const made = await ownedProgram(service, { attributionWindowDays: 30 });
    const click_id = await service.clickId(made.link);
    service.advance({ days: 45 });
    await service.sale({ transaction_id: newId('order'), amount_cents: 100, click_id }, { key: made.apiKey });
    expect((await setup(made)).refused).toMatchObject([
      { kind: 'sale', outcome: 'not_attributed', click_age_days: 45, window_days: 30 },
    ]);
  });
});

it('the test link of one program does not make events of another one tests', async () => {
  const [made, other] = [await ownedProgram(service), await ownedProgram(service)];
  const click_id = await tested(made);
  const sale = { transaction_id: newId('order'), amount_cents: 100, click_id };
  expect((await service.sale(sale, { key: other.apiKey })).status).toBe(400);
  expect((await service.lead({ click_id }, { key: other.apiKey })).status).toBe(400);
  expect(await service.counts(other.program.id)).toMatchObject({ customers: 0, sales: 0 });
});
