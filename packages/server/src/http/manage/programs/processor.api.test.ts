import {
  everythingStored,
  fingerprints,
  manage,
  memberOf,
  newAccount,
  type OwnedProgram,
  ownedProgram,
  partnerAccount,
} from '@svc/testkit/service/accounts.ts';
import { connectStripe, deliver, newId, StripeEvents, send, settle } from '@svc/testkit/service/payments/stripe.ts';
import { platformError, TestService, useService } from '@svc/testkit/service/service.ts';
import { badRequest, whileMissing } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../audit/audit-store.ts';
import { purgeEventContents } from '../../../jobs/purge-event-contents.ts';
import { runJob } from '../../../jobs/run-jobs.ts';
import { assignAccount } from '../../../payments/connections/connect-processor.ts';
import { processors } from '../../../payments/processors/processors.ts';

const service = useService();

const NOT_FOUND = platformError(404, 'NotFoundError', 'Not Found');
const call = (made: OwnedProgram, method: string, rest = '', body?: object, key = made.owner.token) =>
  service.call(method, manage(made, `/processor${rest}`), { key, body });
const put = (made: OwnedProgram, body: object) => call(made, 'PUT', '', { provider: 'stripe', ...body });

function connection({ program }: OwnedProgram, parts: object = {}) {
  return {
    data: {
      provider: 'stripe',
      title: 'Stripe',
      account_id: null,
      account_status: null,
      status: 'not_connected',
      sandbox: false,
      webhook_url: `https://track.test/api/v1/webhooks/stripe/${program.id}`,
      events: Object.keys(processors.stripe.events),
      event_uses: Object.entries(processors.stripe.events).map(([type, use]) => ({ type, use })),
      secret_prefix: 'whsec_',
      test_mode_in_events: true,
      secrets: [],
      signature_mismatches: null,
      signatures_too_old: null,
      last_event: null,
      last_error: null,
      events_seen: [],
      only_tests: false,
      missing_events: [],
      unlinked_invoices: 0,
      connected_at: null,
      ...parts,
    },
  };
}

const secretsOf = async (made: OwnedProgram) => {
  const rows = await service.sql<{ sealed: string }>(
    'select secret_encrypted as sealed from processor_secrets where program_id = $1 order by id',
    [made.program.id],
  );
  return rows.map(({ sealed }) => service.ctx.encryption.open(sealed));
};

/** A signing secret as replies show it, added now. */
const shown = (last_four: string, parts: object = {}) => ({
  id: expect.any(Number),
  label: null,
  last_four,
  test_mode: false,
  created_at: service.time.toISOString(),
  last_used_at: null,
  ...parts,
});

describe('/api/v1/manage/programs/:id/processor', () => {
  it('GET says that none is connected, and where to send its events', async () => {
    const made = await ownedProgram(service);
    const { status, body } = await call(made, 'GET');
    expect({ status, body }).toEqual({ status: 200, body: connection(made) });
  });

  it('PUT connects it: the answer does not contain the secret, and it is stored encrypted', async () => {
    const made = await ownedProgram(service);
    const account_id = newId('acct');
    const body = { webhook_secret: 'whsec_very_secret_indeed', account_id, sandbox: true };
    const answer = await put(made, body);
    const connected = {
      account_id,
      account_status: 'unproven',
      status: 'connected',
      sandbox: true,
      secrets: [shown('deed')],
      connected_at: service.time.toISOString(),
    };
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: connection(made, connected) });
    const get = await call(made, 'GET');
    expect(get.body).toEqual(connection(made, connected));
    const seen = answer.text + get.text + (await everythingStored(service)) + service.logLines.join('\n');
    expect(seen).not.toContain('very_secret');
    expect(await secretsOf(made)).toEqual(['whsec_very_secret_indeed']);
  });

  it('PUT again replaces account, secrets and sandbox', async () => {
    const made = await ownedProgram(service);
    await put(made, { webhook_secret: 'whsec_a', account_id: newId('acct'), sandbox: true });
    service.advance({ seconds: 10 });
    const { body } = await put(made, { webhook_secret: 'whsec_b' });
    const replaced = { status: 'connected', secrets: [shown('ec_b')], connected_at: service.time.toISOString() };
    expect(body).toEqual(connection(made, replaced));
    expect(await secretsOf(made)).toEqual(['whsec_b']);
    const rows = await service.sql('select 1 from processor_connections where program_id = $1', [made.program.id]);
    expect(rows).toHaveLength(1);
  });

  it('PUT without a secret keeps the current one', async () => {
    const made = await ownedProgram(service);
    await put(made, { webhook_secret: 'whsec_a' });
    const account_id = newId('acct');
    expect((await put(made, { account_id, sandbox: true })).body.data).toMatchObject({ account_id, sandbox: true });
    expect(await secretsOf(made)).toEqual(['whsec_a']);
  });

  it('PUT without a secret is refused while there is none', async () => {
    const made = await ownedProgram(service);
    const answer = await put(made, {});
    expect(answer).toMatchObject({ status: 400, body: badRequest('webhook_secret is required') });
    expect((await call(made, 'GET')).body).toEqual(connection(made));
  });

  it('PUT without a secret is enough for an account of the platform, whose secret signs', async () => {
    const made = await ownedProgram(service);
    const account_id = newId('acct');
    expect((await put(made, { account_id })).body.data).toMatchObject({ account_id, status: 'connected' });
    expect(await secretsOf(made)).toEqual([]);
  });

  it('PUT without a secret is refused without a platform, with or without an account', async () => {
    const alone = new TestService();
    await alone.open({ SVC_STRIPE_WEBHOOK_SECRET: '' });
    const made = await ownedProgram(alone);
    const body = { provider: 'stripe', account_id: newId('acct') };
    const answer = await alone.call('PUT', manage(made, '/processor'), { key: made.owner.token, body });
    await alone.service.close();
    expect(answer).toMatchObject({ status: 400, body: badRequest('webhook_secret is required') });
  });

  it('DELETE disconnects it, and is safe to repeat', async () => {
    const made = await ownedProgram(service);
    await put(made, { webhook_secret: 'whsec_a' });
    for (let again = 0; again < 2; again += 1) {
      const { status, body } = await call(made, 'DELETE');
      expect({ status, body }).toEqual({ status: 200, body: connection(made) });
    }
    expect((await call(made, 'GET')).body).toEqual(connection(made));
    expect(await secretsOf(made)).toEqual([]);
  });

  it('a member may not read or change it (403); for a partner and an unrelated account it does not exist (404)', async () => {
    const made = await ownedProgram(service);
    await put(made, { webhook_secret: 'whsec_a' });
    const ownerOnly = platformError(403, 'ForbiddenError', 'Only a workspace owner can do this');
    const people = [
      [await memberOf(service, made.workspaceId, 'member'), { status: 403, body: ownerOnly }],
      [await partnerAccount(service, made.partnerId), { status: 404, body: NOT_FOUND }],
      [await newAccount(service), { status: 404, body: NOT_FOUND }],
    ] as const;
    const before = await fingerprints(service);
    for (const [{ token }, expected] of people) {
      for (const [method, rest] of [
        ['GET'],
        ['PUT'],
        ['DELETE'],
        ['POST', '/secrets'],
        ['DELETE', '/secrets/1'],
        ['GET', '/events'],
        ['POST', '/events/1/replay'],
      ]) {
        const body =
          method === 'PUT' || rest === '/secrets' ? { provider: 'stripe', webhook_secret: 'whsec_theirs' } : undefined;
        const answer = await call(made, method as string, rest, body, token);
        expect({ status: answer.status, body: answer.body }).toEqual(expected);
      }
    }
    expect(await fingerprints(service)).toEqual(before);
  });
});

describe('the account belongs to the workspace that has proven it', () => {
  const TAKEN = platformError(409, 'ConflictError', 'This account_id is already connected to another workspace', {
    field: 'account_id',
  });
  const SECRET = { webhook_secret: 'whsec_a' };
  const statusOf = async (made: OwnedProgram) => (await call(made, 'GET')).body.data.account_status;

  it('naming an account first does not reserve it', async () => {
    const [squatter, owner] = [await ownedProgram(service), await ownedProgram(service)];
    const account_id = newId('acct');
    expect((await put(squatter, { ...SECRET, account_id })).body.data.account_status).toBe('unproven');
    expect((await put(owner, { account_id })).body.data).toMatchObject({ account_id, account_status: 'unproven' });
    await assignAccount(service.ctx, owner.program, account_id, OPERATOR);
    expect([await statusOf(owner), await statusOf(squatter)]).toEqual(['proven', 'unproven']);
  });

  it('409 for another workspace once it is proven, and nothing changes', async () => {
    const [mine, theirs] = [await ownedProgram(service), await ownedProgram(service)];
    const account_id = newId('acct');
    await assignAccount(service.ctx, mine.program, account_id, OPERATOR);
    const before = await fingerprints(service);
    const answer = await put(theirs, { ...SECRET, account_id });
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 409, body: TAKEN });
    expect(await fingerprints(service)).toEqual(before);
  });

  it('the proof covers other programs of the same workspace, until none of them uses the account', async () => {
    const mine = await ownedProgram(service);
    const sister = { ...mine, ...(await service.program({ workspaceId: mine.workspaceId })) };
    const theirs = await ownedProgram(service);
    const account_id = newId('acct');
    await assignAccount(service.ctx, mine.program, account_id, OPERATOR);
    expect((await put(sister, { ...SECRET, account_id })).body.data.account_status).toBe('proven');
    await call(mine, 'DELETE');
    expect((await put(theirs, { ...SECRET, account_id })).status).toBe(409);
    await call(sister, 'DELETE');
    expect((await put(theirs, { ...SECRET, account_id })).body.data.account_status).toBe('unproven');
    expect((await put(mine, { ...SECRET, account_id })).body.data.account_status).toBe('unproven');
  });

  it('it is free again once the program names another account, no matter who else has named it', async () => {
    const [mine, theirs] = [await ownedProgram(service), await ownedProgram(service)];
    const account_id = newId('acct');
    await put(theirs, { ...SECRET, account_id });
    await assignAccount(service.ctx, mine.program, account_id, OPERATOR);
    await put(mine, { ...SECRET, account_id: newId('acct') });
    expect(await statusOf(mine)).toBe('unproven');
    await assignAccount(service.ctx, theirs.program, account_id, OPERATOR);
    expect(await statusOf(theirs)).toBe('proven');
  });
});

/** A connected program that has received this many events, all of which are ignored. */
async function withEvents(count: number) {
  const made = await ownedProgram(service);
  await connectStripe(service, made);
  const stripe = new StripeEvents('2026', service.time);
  const sent = Array.from({ length: count }, () => stripe.event('customer.created', { id: newId('cus') }));
  await deliver(service, made.program.id, ...sent);
  return { made, stripe, sent };
}

describe('GET /api/v1/manage/programs/:id/processor/events', () => {
  it('lists what was received, newest first, each with its outcome and reason', async () => {
    const { made, stripe } = await withEvents(1);
    await service.customer(made, 'user-1');
    const session = stripe.session({ metadata: { svc_customer_key: 'user-1' } });
    const paid = stripe.event('checkout.session.completed', session, true);
    await deliver(service, made.program.id, paid);
    const { status, body } = await call(made, 'GET', '/events');
    expect(status).toBe(200);
    expect(body.meta).toEqual({ next_cursor: null, limit: 25 });
    expect(body.data).toHaveLength(2);
    expect(body.data[0]).toEqual({
      id: expect.any(Number),
      provider: 'stripe',
      event_id: paid.id,
      type: 'checkout.session.completed',
      livemode: true,
      state: 'done',
      outcome: 'recorded',
      reason: 'The payment was recorded as a sale.',
      hint: null,
      error: null,
      attempts: 1,
      next_attempt_at: null,
      transaction_id: session.payment_intent,
      customer_id: expect.any(Number),
      partner_id: made.partnerId,
      partner_name: 'Jane',
      happened_at: new Date(stripe.at * 1000).toISOString(),
      received_at: service.time.toISOString(),
    });
    expect(body.data[1]).toMatchObject({ type: 'customer.created', outcome: 'not_used', transaction_id: null });
  });

  it('pages with a cursor, each event once', async () => {
    const { made, sent } = await withEvents(5);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '?limit=2' : `?limit=2&cursor=${cursor}`;
      const { body } = await call(made, 'GET', `/events${query}`);
      seen.push(...body.data.map((event: { event_id: string }) => event.event_id));
      cursor = body.meta.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(sent.map(({ id }) => id).reverse());
  });

  it('filters by state', async () => {
    const { made, stripe } = await withEvents(2);
    const unknown = stripe.event('checkout.session.completed', stripe.session());
    await deliver(service, made.program.id, unknown);
    const listed = async (state: string) => {
      const { body } = await call(made, 'GET', `/events?state=${state}`);
      return body.data.map((event: { event_id: string }) => event.event_id);
    };
    expect(await listed('waiting')).toEqual([unknown.id]);
    expect(await listed('done')).toHaveLength(2);
    expect(await listed('failed')).toEqual([]);
    const refused = await call(made, 'GET', '/events?state=lost');
    expect(refused).toMatchObject({ status: 400, body: badRequest('state must be waiting, done or failed') });
  });
});

describe('POST /api/v1/manage/programs/:id/processor/events/:id/replay', () => {
  const rowIdOf = async (made: OwnedProgram) => (await call(made, 'GET', '/events')).body.data[0].id as number;

  it('processes the event again; what it did before is not done twice', async () => {
    const { made, stripe } = await withEvents(0);
    const session = stripe.session({ metadata: { svc_customer_key: 'user-1' } });
    await deliver(service, made.program.id, stripe.event('checkout.session.completed', session));
    await service.customer(made, 'user-1');
    const id = await rowIdOf(made);
    const { status, body } = await call(made, 'POST', `/events/${id}/replay`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id, next_attempt_at: expect.any(String) });
    await settle(service);
    expect((await call(made, 'GET', '/events')).body.data[0]).toMatchObject({ state: 'done', outcome: 'recorded' });
    await call(made, 'POST', `/events/${id}/replay`);
    await settle(service);
    expect((await call(made, 'GET', '/events')).body.data[0]).toMatchObject({ state: 'done', outcome: 'duplicate' });
    expect(await service.counts(made.program.id)).toMatchObject({ sales: 1, commissions: 1 });
  });

  it.each(['999999999', '0', 'abc'])('404: there is no event %s', async (id) => {
    const { made } = await withEvents(1);
    expect(await call(made, 'POST', `/events/${id}/replay`)).toMatchObject({ status: 404, body: NOT_FOUND });
  });

  it('400: the payload has been purged', async () => {
    const { made } = await withEvents(1);
    const id = await rowIdOf(made);
    service.advance({ days: 31 });
    await runJob(service.ctx, purgeEventContents(30));
    const answer = await call(made, 'POST', `/events/${id}/replay`);
    const message = 'The content of this event is no longer stored. Resend it from the payment processor.';
    expect(answer).toMatchObject({ status: 400, body: badRequest(message) });
    expect((await call(made, 'GET', '/events')).body.data[0]).toMatchObject({ state: 'done', outcome: 'not_used' });
  });
});

describe('last_event and last_error', () => {
  it('show the last event, and the last failure until a retry succeeds', async () => {
    const { made, stripe } = await withEvents(1);
    await service.customer(made, 'user-1');
    const session = stripe.session({ metadata: { svc_customer_key: 'user-1' } });
    const paid = stripe.event('checkout.session.completed', session);
    const failedAt = service.time.toISOString();
    await whileMissing(service, 'processor_identities', () => deliver(service, made.program.id, paid));
    const { body } = await call(made, 'GET');
    const last_event = { type: 'checkout.session.completed', outcome: 'failed', received_at: failedAt };
    const message = expect.stringContaining('processor_identities');
    expect(body.data).toMatchObject({ last_event, last_error: { event_id: paid.id, message, at: failedAt } });

    service.advance({ seconds: 10 });
    await settle(service);
    expect((await call(made, 'GET')).body.data).toMatchObject({
      last_event: { ...last_event, outcome: 'recorded' },
      last_error: null,
    });
  });
});

describe('readiness’ payout gate', () => {
  const payout = async ({ apiKey }: OwnedProgram) => (await service.readiness(apiKey)).body.gates.payout;

  it('is unknown and says what to do until a payment has arrived', async () => {
    const made = await ownedProgram(service);
    expect(await payout(made)).toMatchObject({ status: 'unknown' });
    await connectStripe(service, made);
    expect(await payout(made)).toEqual({
      status: 'unknown',
      next_action: expect.stringMatching(/^A payment processor is connected, but no event has arrived\./),
      mode: null,
    });
    const stripe = new StripeEvents('2026', service.time);
    await send(service, made.program.id, stripe.event('customer.created', { id: 'cus_1' }));
    expect(await payout(made)).toMatchObject({
      status: 'unknown',
      next_action: expect.stringContaining('Make a test payment'),
    });
    await settle(service);
  });
});
