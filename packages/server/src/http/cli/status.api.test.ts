import { manage, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { newAddress } from '@svc/testkit/service/addresses.ts';
import { deliver, SECRET, stripeEvents } from '@svc/testkit/service/payments/stripe.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { whileMissing } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';

const service = useService();
const limited = useService({ SVC_RATE_LIMITS: 'cli=1' });

const events = stripeEvents(service);

const STATUS = '/api/v1/cli/status';
const status = (key: string) => service.call('GET', STATUS, { key });
const unauthorized = (message: unknown) => platformError(401, 'UnauthorizedError', message as string);

describe('GET /api/v1/cli/status', () => {
  it('answers 200 with the program, its recent events, partners, commissions and readiness', async () => {
    const { program, apiKey } = await service.program();
    const answer = await status(apiKey);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: {
        program_id: program.id,
        name: 'Acme',
        domain: 'acme.test',
        stripe_connected: false,
        stripe_charges_enabled: false,
        dns_verified: false,
        cookie_set_by: null,
        recent_events: { clicks_24h: 0, leads_24h: 0, sales_24h: 0 },
        active_partners: 1,
        pending_commissions: 0,
        readiness: 'configuring',
      },
    });
  });

  it('counts clicks, leads and sales of the last 24 hours, and pending commissions', async () => {
    const made = await service.program();
    await sold(service, made);
    service.advance({ days: 2 });
    await sold(service, made);
    await service.clickId(made.link);
    expect((await status(made.apiKey)).body.data).toMatchObject({
      recent_events: { clicks_24h: 2, leads_24h: 1, sales_24h: 1 },
      pending_commissions: 2,
      readiness: 'live_verified',
    });
  });

  it('counts no test events', async () => {
    const { apiKey } = await service.program();
    for (const body of [{ type: 'chain' }, { event_type: 'click' }, { event_type: 'lead' }, { event_type: 'sale' }]) {
      expect((await service.call('POST', '/api/v1/cli/test-event', { key: apiKey, body })).status).toBe(200);
    }
    expect((await status(apiKey)).body.data).toMatchObject({
      recent_events: { clicks_24h: 0, leads_24h: 0, sales_24h: 0 },
      active_partners: 1,
      pending_commissions: 0,
      readiness: 'ready',
    });
  });

  it('dns_verified says whether a page of the site has reported a click', async () => {
    const made = await service.program();
    const verified = async () => (await status(made.apiKey)).body.data.dns_verified;
    await service.call('POST', '/api/v1/cli/test-event', { key: made.apiKey, body: { type: 'chain' } });
    expect(await verified()).toBe(false);
    await service.clickId(made.link);
    expect(await verified()).toBe(true);
  });

  it('cookie_set_by says who set the cookie of the latest visitor, as readiness does', async () => {
    const made = await service.program();
    const setBy = async () => [
      (await status(made.apiKey)).body.data.cookie_set_by,
      (await service.readiness(made.apiKey)).body.gates.tracking.cookie_set_by,
    ];
    const visit = (headers: Record<string, string>) =>
      service.click({ affiliate_url: `https://acme.test/?aff=${made.link}` }, { headers });
    await service.call('POST', '/api/v1/cli/test-event', { key: made.apiKey, body: { type: 'chain' } });
    expect(await setBy()).toEqual([null, null]);
    await visit({ 'user-agent': 'Safari' });
    expect(await setBy()).toEqual(['script', 'script']);
    service.advance({ seconds: 1 });
    await visit({ 'user-agent': 'Safari', 'svc-relay-cookie': 'host' });
    expect(await setBy()).toEqual(['server', 'server']);
    service.advance({ seconds: 1 });
    await visit({ 'user-agent': 'Safari' });
    expect(await setBy()).toEqual(['script', 'script']);
  });

  it.each([
    ['script', {}],
    ['server', { 'svc-relay-cookie': 'host' }],
  ])(
    'a short address that someone opened says nothing about the site until a page reports it: %s',
    async (setBy, relay) => {
      const made = await ownedProgram(service);
      const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36' };
      const facts = async () => {
        const { dns_verified, cookie_set_by } = (await status(made.apiKey)).body.data;
        const { tracking } = (await service.readiness(made.apiKey)).body.gates;
        const setup = await service.call('GET', manage(made, '/setup'), { key: made.owner.token });
        return { dns_verified, cookie_set_by, tracking, click: setup.body.data.click };
      };
      const before = await facts();
      expect(before).toMatchObject({
        dns_verified: false,
        cookie_set_by: null,
        tracking: { status: 'fail' },
        click: null,
      });
      const led = await service.call('GET', `/r/${made.link}`, { headers });
      expect(led.status).toBe(302);
      expect(await facts()).toEqual(before);

      const url = String(led.headers.location);
      const id = new URL(url).searchParams.get('svc_click_id');
      const report = { affiliate_url: url, existing_click_id: id };
      expect(await service.click(report, { headers: { ...headers, ...relay } })).toMatchObject({
        body: { click_id: id },
      });
      expect(await facts()).toEqual({
        dns_verified: true,
        cookie_set_by: setBy,
        tracking: { status: 'pass', checked_at: service.time.toISOString(), cookie_set_by: setBy },
        click: { at: service.time.toISOString(), origin: new URL(url).origin, is_test: false },
      });
      const clicks = await service.sql('select is_relayed from clicks where program_id = $1', [made.program.id]);
      expect(clicks).toEqual([{ is_relayed: setBy === 'server' }]);
    },
  );

  it('stripe_connected says whether the payment processor is connected, stripe_charges_enabled whether it sends events', async () => {
    const made = await ownedProgram(service);
    const body = { provider: 'stripe', webhook_secret: SECRET };
    await service.call('PUT', manage(made, '/processor'), { key: made.owner.token, body });
    const connected = { stripe_connected: true, stripe_charges_enabled: false };
    expect((await status(made.apiKey)).body.data).toMatchObject(connected);
    await deliver(service, made.program.id, events().event('customer.created', {}));
    expect((await status(made.apiKey)).body.data).toMatchObject({ ...connected, stripe_charges_enabled: true });
    await service.call('DELETE', manage(made, '/processor'), { key: made.owner.token });
    const disconnected = { stripe_connected: false, stripe_charges_enabled: false };
    expect((await status(made.apiKey)).body.data).toMatchObject(disconnected);
  });

  it.each([
    ['percent', '101', 'draft'],
    ['percent', '100', 'configuring'],
  ] as const)('readiness of a program that pays %s %s is %s', async (commissionType, commissionRate, readiness) => {
    const { apiKey, program } = await service.program({ commissionType });
    // A program from before there was a limit may pay more than 100 percent.
    await service.sql('update programs set commission_rate = $2 where id = $1', [program.id, commissionRate]);
    service.advance({ seconds: 60 });
    expect((await status(apiKey)).body.data.readiness).toBe(readiness);
  });
});

describe.each([
  ['GET', STATUS],
  ['POST', '/api/v1/cli/test-event'],
])('401 on %s %s', (method, path) => {
  const MALFORMED = 'Missing or malformed Authorization header. Expected: Bearer <api_token>';

  it.each([
    [MALFORMED, 'header absent', undefined],
    [MALFORMED, 'header not Bearer', 'Basic YTpi'],
    ['Missing API token', 'empty token', 'Bearer '],
    ['Missing API token', 'Bearer alone', 'bearer'],
  ])('%s: %s', async (message, _condition, authorization) => {
    const answer = await service.call(method, path, { headers: authorization === undefined ? {} : { authorization } });
    expect(answer).toMatchObject({ status: 401, body: unauthorized(message) });
  });

  it.each(['svc_key_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'nonsense', 'svc_at_unknown'])(
    'Invalid API key., with advice to have a workspace owner regenerate it: key matches no program, %s',
    async (key) => {
      const answer = await service.call(method, path, { key });
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual(
        unauthorized(expect.stringMatching(/^Invalid API key\. .*workspace owner.*regenerate/)),
      );
    },
  );

  it('Invalid API key.: an account token', async () => {
    const { owner } = await ownedProgram(service);
    const answer = await service.call(method, path, { key: owner.token });
    expect(answer.status).toBe(401);
    expect(answer.body.error.message).toMatch(/^Invalid API key\./);
  });

  it('api_key_rotation_required: key past its rotation deadline', async () => {
    const { apiKey, program } = await service.program();
    await service.sql('update program_keys set marked_at = $2, rotate_by = $2 where program_id = $1', [
      program.id,
      service.time,
    ]);
    const answer = await service.call(method, path, { key: apiKey });
    expect(answer).toMatchObject({ status: 401, body: { error: { code: 'api_key_rotation_required' } } });
    expect(answer.body).not.toHaveProperty('data');
  });
});

describe('X-Request-ID of GET /api/v1/cli/status', () => {
  const headers = { 'x-request-id': 'mine' };

  it('is not on 200, even if the request sent one', async () => {
    const { apiKey } = await service.program();
    for (const answer of [await status(apiKey), await service.call('GET', STATUS, { key: apiKey, headers })]) {
      expect(answer.status).toBe(200);
      expect(answer.headers).not.toHaveProperty('x-request-id');
    }
  });

  it('is not on 401', async () => {
    for (const key of [undefined, '', 'svc_key_unknown']) {
      const answer = await service.call('GET', STATUS, { key, headers });
      expect(answer.status).toBe(401);
      expect(answer.headers).not.toHaveProperty('x-request-id');
    }
  });

  it('is not on the 401 of a key past its rotation deadline', async () => {
    const { apiKey, program } = await service.program();
    const deadline = [program.id, service.time];
    await service.sql('update program_keys set marked_at = $2, rotate_by = $2 where program_id = $1', deadline);
    const answer = await status(apiKey);
    expect(answer.status).toBe(401);
    expect(answer.headers).not.toHaveProperty('x-request-id');
  });

  it('is not on 429', async () => {
    const { apiKey } = await limited.program();
    const call = () => limited.call('GET', STATUS, { key: apiKey, ip: newAddress(), headers });
    await call();
    const answer = await call();
    expect(answer).toMatchObject({ status: 429, body: { error: { status: 429, code: 'rate_limited' } } });
    expect(answer.headers).not.toHaveProperty('x-request-id');
    expect(answer.headers['retry-after']).toBe('60');
  });

  it('is on 500', async () => {
    const { apiKey } = await service.program();
    const answer = await whileMissing(service, 'sales', () => service.call('GET', STATUS, { key: apiKey, headers }));
    expect(answer).toMatchObject({ status: 500, headers: { 'x-request-id': 'mine' } });
  });

  it('is on 405', async () => {
    expect((await service.call('POST', STATUS, { headers })).headers['x-request-id']).toBe('mine');
  });
});
