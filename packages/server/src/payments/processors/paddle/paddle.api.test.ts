import { fingerprints, manage, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import {
  connectPaddle,
  deliverPaddle,
  PADDLE_SECRET,
  PADDLE_TEST_SECRET,
  PaddleEvents,
  paddleSigned,
  sendPaddle,
} from '@svc/testkit/service/payments/paddle.ts';
import { connectStripe, ledger, newId, outcomeOf, settle, signed } from '@svc/testkit/service/payments/stripe.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { processors } from '../processors.ts';

const service = useService();
afterEach(() => settle(service));

const TOO_OLD =
  'The signature is older than five minutes. The signing secret is right: check the clock of this server, and what delays its requests.';
const SIGNATURE =
  'The signature is missing, wrong or too old. Check the signing secret in the dashboard: program Settings, Payments.';
const NOT_AN_EVENT =
  'The request body is not an event of Paddle. Expected a JSON object with event_id, event_type and occurred_at, as notifications of Paddle Billing have them.';

const paddle = () => new PaddleEvents(service.time);
const paid = (parts: object = {}) =>
  paddle().event(
    'transaction.completed',
    paddle().transaction({ customData: { svc_customer_key: 'user-1' }, ...parts }),
  );
const call = (made: OwnedProgram, method: string, rest: string, body?: object) =>
  service.call(method, manage(made, `/processor${rest}`), { key: made.owner.token, body });

async function connected(options: Parameters<typeof connectPaddle>[2] = {}): Promise<OwnedProgram & { id: number }> {
  const made = await ownedProgram(service);
  await connectPaddle(service, made, options);
  await service.customer(made, 'user-1');
  return { ...made, id: made.program.id };
}

describe('POST /api/v1/webhooks/paddle/:program_id', () => {
  const post = (id: number, body: string, headers: Record<string, string>) =>
    service.call('POST', `/api/v1/webhooks/paddle/${id}`, { body, headers });

  it('accepts an event signed with the program’s secret, and processes it once', async () => {
    const { id } = await connected();
    const event = paid();
    expect(await sendPaddle(service, id, event)).toMatchObject({
      status: 200,
      body: { received: true, duplicate: false },
    });
    expect(await sendPaddle(service, id, event)).toMatchObject({
      status: 200,
      body: { received: true, duplicate: true },
    });
    await settle(service);
    expect(await outcomeOf(service, id, event.event_id)).toBe('recorded');
    expect(await ledger(service, id)).toMatchObject([{ id: event.data.id, cents: 5_000, commission: 1_000 }]);
  });

  it.each<[string, () => [string, Record<string, string>], string]>([
    ['no signature', () => [text(), { 'content-type': 'application/json' }], SIGNATURE],
    ['a nonsensical signature', () => [text(), { 'paddle-signature': 'yes' }], SIGNATURE],
    ['a signature without a hash', () => [text(), { 'paddle-signature': 'ts=1;h1=' }], SIGNATURE],
    ['a signature with another secret', () => signedBy('pdl_ntfset_01hother_secret'), SIGNATURE],
    ['a signature older than five minutes', () => signedBy(PADDLE_SECRET, -301), TOO_OLD],
    ['a body that was changed', () => [text().replace('5000', '5001'), paddleSigned(text(), service.time)], SIGNATURE],
    ['a signature of Stripe', () => [text(), signed(text(), service.time)], SIGNATURE],
    ['an empty body', () => ['', paddleSigned('', service.time)], NOT_AN_EVENT],
    ['text that is not JSON', () => ['{"event_id":', paddleSigned('{"event_id":', service.time)], NOT_AN_EVENT],
    ['JSON that is not an object', () => ['[1]', paddleSigned('[1]', service.time)], NOT_AN_EVENT],
    ['an event of Stripe', () => [STRIPES, paddleSigned(STRIPES, service.time)], NOT_AN_EVENT],
  ])('answers 400 and stores nothing for %s', async (_case, request, message) => {
    const { id } = await connected();
    const before = await fingerprints(service);
    const answer = await post(id, ...request());
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body: badRequest(message) });
    expect(await fingerprints(service)).toEqual(before);
  });

  const event = paid();
  const text = () => JSON.stringify(event);
  const STRIPES = JSON.stringify({ id: 'evt_1', type: 'invoice.paid', created: 1_700_000_000, data: {} });
  const signedBy = (secret: string, ahead = 0): [string, Record<string, string>] => [
    text(),
    paddleSigned(text(), new Date(service.time.getTime() + ahead * 1000), secret),
  ];

  it('accepts either of two signatures while Paddle rotates the secret', async () => {
    const { id } = await connected();
    for (const order of [0, 1]) {
      const body = JSON.stringify(paid());
      const [own, other] = [PADDLE_SECRET, 'pdl_ntfset_01hnext'].map(
        (secret) => paddleSigned(body, service.time, secret)['paddle-signature'] as string,
      ) as [string, string];
      const [ts] = own.split(';');
      const hashes = [own, other].map((each) => each.split(';')[1]);
      const header = [ts, ...(order === 0 ? hashes : hashes.toReversed())].join(';');
      expect(await post(id, body, { 'paddle-signature': header })).toMatchObject({ status: 200 });
    }
  });

  it('answers 404 if the program is connected to Stripe only', async () => {
    const made = await ownedProgram(service);
    await connectStripe(service, made);
    expect((await sendPaddle(service, made.program.id, paid())).status).toBe(404);
  });

  it('does not accept a secret of Stripe for Paddle, or the other way round', async () => {
    const made = await connected();
    await connectStripe(service, made);
    const body = JSON.stringify(paid());
    const asStripe = { 'stripe-signature': signed(body, service.time, PADDLE_SECRET)['stripe-signature'] as string };
    expect((await service.call('POST', `/api/v1/webhooks/stripe/${made.id}`, { body, headers: asStripe })).status).toBe(
      400,
    );
  });
});

describe('a transaction without custom data', () => {
  it('is credited once the e-mail address of its customer is known, to the signup with that address', async () => {
    const { id, link, apiKey } = await connected();
    const lead = { click_id: await service.clickId(link), customer_key: 'user-2', email: 'pat@people.test' };
    await service.lead(lead, { key: apiKey });
    const customer = newId('ctm');
    const transaction = paid({ customer, customData: null });
    expect(await deliverPaddle(service, id, transaction)).toBe('no_customer');
    const known = paddle().event('customer.created', paddle().customer(customer, { email: 'Pat@People.test' }));
    expect(await deliverPaddle(service, id, known)).toBe('payer_known');
    await settle(service);
    expect(await outcomeOf(service, id, transaction.event_id)).toBe('recorded');
  });
});

describe('a customer of Paddle whom nobody referred', () => {
  it('is no unmatched payer, is not tried again, and is asked about when they pay', async () => {
    const { id, link, apiKey } = await connected();
    const customer = newId('ctm');
    const known = paddle().event('customer.created', paddle().customer(customer, { email: 'kim@people.test' }));
    expect(await deliverPaddle(service, id, known)).toBe('not_a_customer_yet');
    const row = 'select state, attempts, due_at from processor_events where event_id = $1';
    expect(await service.sql(row, [known.event_id])).toEqual([{ state: 'done', attempts: 1, due_at: null }]);

    // They sign up through a partner days later, with the address that Paddle knows, and pay.
    service.advance({ days: 5 });
    const lead = { click_id: await service.clickId(link), customer_key: 'kim', email: 'kim@people.test' };
    await service.lead(lead, { key: apiKey });
    const transaction = paid({ customer, customData: null });
    await deliverPaddle(service, id, transaction);
    await settle(service);
    expect(await outcomeOf(service, id, known.event_id)).toBe('payer_known');
    expect(await outcomeOf(service, id, transaction.event_id)).toBe('recorded');
  });
});

describe('a chargeback', () => {
  it('is open until it is reversed: Paddle does not say that the bank has decided', async () => {
    const { id } = await connected();
    const transaction = paid();
    await deliverPaddle(service, id, transaction);
    const adjust = (action: string) => {
      const adjustment = paddle().adjustment({ transaction: transaction.data.id, cents: 5_000, action });
      return deliverPaddle(service, id, paddle().event('adjustment.created', adjustment));
    };
    const reasons = () =>
      service.sql(`select reason from decisions where program_id = $1 and kind = 'refund' order by id`, [id]);
    expect(await adjust('chargeback')).toBe('refunded');
    expect(await reasons()).toEqual([{ reason: 'payment_disputed' }]);
    expect(await adjust('chargeback_reverse')).toBe('restored');
    expect(await reasons()).toEqual([{ reason: 'payment_disputed' }, { reason: 'dispute_won' }]);
  });
});

describe('test mode', () => {
  const liveOf = async (id: number) => {
    const rows = await service.sql<{ live: boolean }>(
      'select is_live as live from processor_events where program_id = $1 order by id',
      [id],
    );
    return rows.map(({ live }) => live);
  };

  it('is told by the secret: events of a sandbox are tests, live ones are not', async () => {
    const made = await connected();
    const sandbox = { provider: 'paddle', webhook_secret: PADDLE_TEST_SECRET, label: 'sandbox', test_mode: true };
    expect((await call(made, 'POST', '/secrets', sandbox)).status).toBe(201);
    await sendPaddle(service, made.id, paid(), PADDLE_TEST_SECRET);
    await sendPaddle(service, made.id, paid());
    await settle(service);
    expect(await liveOf(made.id)).toEqual([false, true]);
    expect(await ledger(service, made.id)).toHaveLength(1);
  });

  it('is told by the id of the event: what the webhook simulator sends is a test, whatever the secret', async () => {
    const made = await connected();
    expect(await deliverPaddle(service, made.id, { ...paid(), event_id: newId('ntfsimevt') })).toBe('test_recorded');
    expect(await liveOf(made.id)).toEqual([false]);
    expect(await ledger(service, made.id)).toEqual([]);
  });

  it('a program of a staging system can count the payments of a sandbox as real', async () => {
    const made = await connected({ isSandbox: true, isTest: true });
    await deliverPaddle(service, made.id, paid());
    expect(await liveOf(made.id)).toEqual([false]);
    expect(await ledger(service, made.id)).toHaveLength(1);
  });

  it.each(['PUT', 'POST'])('%s refuses a secret that does not say whether it is for tests', async (method) => {
    const made = await connected();
    const body = { provider: 'paddle', webhook_secret: `pdl_ntfset_${newId('01h')}` };
    const answer = await call(made, method, method === 'PUT' ? '' : '/secrets', body);
    const message = 'test_mode is required: events of Paddle do not say whether they are tests';
    expect(answer).toMatchObject({ status: 400, body: badRequest(message) });
  });
});

describe('/api/v1/manage/programs/:id/processor with provider=paddle', () => {
  it('is a connection of its own beside the one to Stripe', async () => {
    const made = await ownedProgram(service);
    await connectStripe(service, made);
    const body = { provider: 'paddle', webhook_secret: PADDLE_SECRET, test_mode: false };
    const { status, body: answer } = await call(made, 'PUT', '', body);
    expect(status).toBe(200);
    expect(answer.data).toMatchObject({
      provider: 'paddle',
      title: 'Paddle',
      status: 'connected',
      webhook_url: `https://track.test/api/v1/webhooks/paddle/${made.program.id}`,
      events: Object.keys(processors.paddle.events),
      secret_prefix: 'pdl_ntfset_',
      test_mode_in_events: false,
      secrets: [{ last_four: PADDLE_SECRET.slice(-4), test_mode: false }],
    });
    expect((await call(made, 'GET', '')).body.data).toMatchObject({ provider: 'stripe', status: 'connected' });
    await call(made, 'DELETE', '?provider=paddle');
    expect((await call(made, 'GET', '?provider=paddle')).body.data).toMatchObject({
      status: 'not_connected',
      secrets: [],
    });
    expect((await call(made, 'GET', '')).body.data).toMatchObject({ status: 'connected', secrets: [{}] });
    expect(await call(made, 'GET', '?provider=paypal')).toMatchObject({
      status: 400,
      body: badRequest('provider must be stripe, paddle, polar, lemonsqueezy or custom'),
    });
  });

  it.each([
    ['pdl_live_apikey_01habc', 'an API key (pdl_live_apikey_…), not a signing secret'],
    ['pdl_sdbx_apikey_01habc', 'an API key of the sandbox (pdl_sdbx_apikey_…), not a signing secret'],
    ['ntfset_01habc', 'the id of a notification destination (ntfset_…), not a signing secret'],
    ['live_7d279f61a3499fed', 'a client-side token (live_…), not a signing secret'],
    ['whsec_abc', 'a signing secret of Stripe (whsec_…), not a signing secret'],
    ['something', 'not a signing secret'],
  ])('refuses %s by name', async (webhook_secret, what) => {
    const made = await ownedProgram(service);
    const answer = await call(made, 'PUT', '', { provider: 'paddle', webhook_secret, test_mode: false });
    const place =
      'Paddle shows the signing secret, which starts with pdl_ntfset_, under Developer tools, Notifications, your destination.';
    expect(answer).toMatchObject({ status: 400, body: badRequest(`webhook_secret: this is ${what}. ${place}`) });
  });

  it('refuses an account: only platforms of Stripe have them', async () => {
    const made = await ownedProgram(service);
    const body = { provider: 'paddle', webhook_secret: PADDLE_SECRET, test_mode: false, account_id: newId('acct') };
    const answer = await call(made, 'PUT', '', body);
    expect(answer).toMatchObject({ status: 400, body: badRequest('account_id is not used with Paddle') });
  });

  it('lists the events of both processors, and shows the last one of each', async () => {
    const made = await connected();
    await connectStripe(service, made);
    const event = paid();
    await deliverPaddle(service, made.id, event);
    expect((await call(made, 'GET', '/events')).body.data).toMatchObject([
      { provider: 'paddle', event_id: event.event_id },
    ]);
    expect((await call(made, 'GET', '/events?provider=stripe')).body.data).toEqual([]);
    const lastOf = async (provider: string) => (await call(made, 'GET', `?provider=${provider}`)).body.data.last_event;
    expect(await lastOf('paddle')).toMatchObject({ type: 'transaction.completed', outcome: 'recorded' });
    expect(await lastOf('stripe')).toBeNull();
  });

  it('does not miss links to invoices, which only Stripe has', async () => {
    const made = await connected();
    await connectStripe(service, made);
    await deliverPaddle(service, made.id, paid({ subscription: newId('sub') }));
    service.advance({ seconds: 3_600 });
    for (const provider of ['stripe', 'paddle']) {
      expect((await call(made, 'GET', `?provider=${provider}`)).body.data.unlinked_invoices).toBe(0);
    }
  });

  it('does not make `svc status` say that Stripe is connected', async () => {
    const made = await connected();
    const { body } = await service.call('GET', '/api/v1/cli/status', { key: made.apiKey });
    expect(body.data.stripe_connected).toBe(false);
  });
});
