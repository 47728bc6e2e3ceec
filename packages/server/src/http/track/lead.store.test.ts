import { platformError, useService } from '@svc/testkit/service/service.ts';
import { badRequest, customerOf, decisionsOf, whileRefused } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const TRACKED = { success: true, message: 'Lead tracked successfully' };
const NOT_FOUND = badRequest('Customer not found. Provide a valid click_id or customer_key.');
const MALFORMED = 'Missing or malformed Authorization header. Expected: Bearer <token>';
const STATUS_REFUSED = 'Customer status cannot be updated to lead. Current status:';

describe('POST /api/v1/track/lead', () => {
  it('records the lead and changes the customer to lead in server mode', async () => {
    const acme = await service.program();
    const clickId = await service.clickId(acme.link);
    service.advance({ days: 1 });
    const { status, body, headers } = await service.lead(
      { click_id: clickId, customer_key: 'user-1', additional_data: { plan: 'pro' } },
      { key: acme.apiKey, headers: { 'x-request-id': 'lead-1' } },
    );
    expect(status).toBe(200);
    expect(body).toEqual(TRACKED);
    expect(headers['x-request-id']).toBe('lead-1');
    expect(await customerOf(service, clickId)).toMatchObject({
      status: 'lead',
      lead_state: 'settled',
      lead_at: service.time,
      customer_key: 'user-1',
      partner_id: acme.partnerId,
      converted_at: null,
    });
    expect(await service.counts(acme.program.id)).toEqual({
      customers: 1,
      clicks: 1,
      sales: 0,
      commissions: 0,
      refunds: 0,
      decisions: 1,
    });
    expect(await decisionsOf(service, acme)).toMatchObject([
      {
        kind: 'lead',
        outcome: 'recorded',
        reason: 'lead_recorded',
        source: 'api',
        partner_id: acme.partnerId,
        customer_key: 'user-1',
        click_id: clickId,
        additional_data: { plan: 'pro' },
        request_id: 'lead-1',
        is_test: false,
      },
    ]);
  });

  it('returns the same body in browser mode', async () => {
    const { link } = await service.program();
    const clickId = await service.clickId(link);
    const { status, body } = await service.lead({ click_id: clickId, customer_key: 'user-1' });
    expect(status).toBe(200);
    expect(body).toEqual(TRACKED);
    expect(await customerOf(service, clickId)).toMatchObject({ status: 'lead', lead_state: 'settled' });
  });

  it('accepts a click_id alone, which leaves the customer without a customer_key', async () => {
    const { link, apiKey } = await service.program();
    const clickId = await service.clickId(link);
    expect((await service.lead({ click_id: clickId }, { key: apiKey })).body).toEqual(TRACKED);
    expect(await customerOf(service, clickId)).toMatchObject({ status: 'lead', customer_key: null });
  });

  it('accepts a beacon with JSON as text/plain', async () => {
    const { link } = await service.program();
    const clickId = await service.clickId(link);
    const { body } = await service.call('POST', '/api/v1/track/lead', {
      body: JSON.stringify({ click_id: clickId }),
      headers: { 'content-type': 'text/plain' },
    });
    expect(body).toEqual(TRACKED);
  });

  it('returns CORS headers, even with errors', async () => {
    for (const { headers } of [await service.lead({}), await service.lead({}, { headers: { authorization: 'x' } })]) {
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-expose-headers']).toContain('X-Request-ID');
    }
  });
});

describe('a lead gets 400', () => {
  it.each([
    {},
    { email: 'jane@example.com' },
    { click_id: null, customer_key: null },
    { click_id: '', customer_key: '' },
  ])('click_id or customer_key is required, for %j', async (sent) => {
    const { program, apiKey } = await service.program();
    for (const options of [{ key: apiKey }, {}]) {
      const { status, body, headers } = await service.lead({ ...sent, program_id: program.id }, options);
      expect(status).toBe(400);
      expect(body).toEqual(badRequest('click_id or customer_key is required'));
      expect(headers['x-request-id']).toBeTruthy();
    }
    expect(await service.counts(program.id)).toMatchObject({ customers: 0, decisions: 1 });
  });

  it.each([
    { name: 'an unknown click_id', sent: { click_id: 'cust_999999999_1773144000000' } },
    { name: 'a malformed click_id', sent: { click_id: 'somebody' } },
    { name: 'an unknown click_id and customer_key', sent: { click_id: 'cust_1_1', customer_key: 'new' } },
  ])('Customer not found, for $name', async ({ sent }) => {
    const { program, apiKey } = await service.program();
    for (const options of [{ key: apiKey }, {}]) {
      const { status, body } = await service.lead({ ...sent, program_id: program.id }, options);
      expect(status).toBe(400);
      expect(body).toEqual(NOT_FOUND);
    }
    expect(await service.counts(program.id)).toMatchObject({ customers: 0, decisions: 2 });
  });

  it('Customer not found, for a click_id with the right number and a wrong time', async () => {
    const { link, apiKey } = await service.program();
    const clickId = await service.clickId(link);
    const guessed = clickId.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
    expect((await service.lead({ click_id: guessed }, { key: apiKey })).body).toEqual(NOT_FOUND);
    expect(await customerOf(service, clickId)).toMatchObject({ status: 'click', lead_at: null });
  });

  it('Customer not found, for a customer_key without a known program', async () => {
    const { status, body } = await service.lead({ customer_key: 'user-1' });
    expect(status).toBe(400);
    expect(body).toEqual(NOT_FOUND);
    const unknown = await service.lead({ customer_key: 'user-1', program_id: 999_999_999 });
    expect(unknown.body).toEqual(NOT_FOUND);
    expect(await service.sql('select 1 from customers where program_id = 999999999')).toEqual([]);
  });

  it('Customer does not belong to this program, for the click of another program', async () => {
    const acme = await service.program();
    const other = await service.program();
    const clickId = await service.clickId(other.link);
    const { status, body } = await service.lead({ click_id: clickId, customer_key: 'user-1' }, { key: acme.apiKey });
    expect(status).toBe(400);
    expect(body).toEqual(badRequest('Customer does not belong to this program'));
    expect(await customerOf(service, clickId)).toMatchObject({ status: 'click', customer_key: null });
    expect(await service.counts(acme.program.id)).toMatchObject({ customers: 0, decisions: 1 });
    expect(await service.counts(other.program.id)).toMatchObject({ customers: 1, decisions: 0 });
    expect(await decisionsOf(service, acme)).toMatchObject([{ reason: 'other_program', customer_id: null }]);
  });

  it.each([
    ['click_id must be a string', { click_id: 7 }],
    ['click_id must be at most 255 characters', { click_id: 'x'.repeat(256) }],
    ['click_id contains characters that cannot be stored', { click_id: 'a\0b' }],
    ['customer_key must be a string', { customer_key: 1.5 }],
    ['customer_key must be a string', { customer_key: true }],
    ['customer_key must be at most 255 characters', { customer_key: 'x'.repeat(256) }],
    ['customer_key contains characters that cannot be stored', { customer_key: '\ud800' }],
    ['email must be a string', { customer_key: 'user-1', email: 7 }],
    ['email must be at most 1024 characters', { customer_key: 'user-1', email: 'x'.repeat(1025) }],
    ['email contains characters that cannot be stored', { customer_key: 'user-1', email: 'a\0@example.com' }],
    ['additional_data must be an object', { customer_key: 'user-1', additional_data: 'plan' }],
    ['additional_data contains characters that cannot be stored', { customer_key: 'u', additional_data: { a: '\0' } }],
  ])('%s', async (message, sent) => {
    const { program, apiKey } = await service.program();
    const { status, body } = await service.lead(sent, { key: apiKey });
    expect(status).toBe(400);
    expect(body).toEqual(badRequest(message));
    expect(await service.counts(program.id)).toMatchObject({ customers: 0, decisions: 1 });
  });
});

describe('a lead is refused with', () => {
  it.each(['server', 'browser'])(`${STATUS_REFUSED} lead, if it already exists, in %s mode`, async (mode) => {
    const acme = await service.program();
    const clickId = await service.customer(acme, 'user-1');
    const before = await customerOf(service, clickId);
    service.advance({ days: 1 });
    const options = mode === 'server' ? { key: acme.apiKey } : {};
    const { status, body } = await service.lead({ click_id: clickId, customer_key: 'user-2' }, options);
    expect(status).toBe(400);
    expect(body).toEqual(badRequest(`${STATUS_REFUSED} lead`));
    expect(await customerOf(service, clickId)).toEqual(before);
    expect(await service.counts(acme.program.id)).toMatchObject({ customers: 1, decisions: 2 });
  });

  it.each(['click_id', 'customer_key'])(
    `${STATUS_REFUSED} conversion, if the customer found by %s has bought`,
    async (by) => {
      const acme = await service.program();
      const clickId = await service.customer(acme, 'user-1');
      const paid = { transaction_id: `${by}-${acme.program.id}`, amount_cents: 4900, customer_key: 'user-1' };
      expect((await service.sale(paid, { key: acme.apiKey })).status).toBe(200);
      const before = await customerOf(service, clickId);
      const sent = by === 'click_id' ? { click_id: clickId } : { customer_key: 'user-1' };
      const { status, body } = await service.lead(sent, { key: acme.apiKey });
      expect(status).toBe(400);
      expect(body).toEqual(badRequest(`${STATUS_REFUSED} conversion`));
      expect(await customerOf(service, clickId)).toEqual(before);
    },
  );

  it(`${STATUS_REFUSED} conversion, if the customer bought without signing up`, async () => {
    const acme = await service.program();
    const clickId = await service.clickId(acme.link);
    const paid = { transaction_id: `straight-${acme.program.id}`, amount_cents: 4900, click_id: clickId };
    await service.sale(paid, { key: acme.apiKey });
    const { body } = await service.lead({ click_id: clickId, customer_key: 'user-1' }, { key: acme.apiKey });
    expect(body).toEqual(badRequest(`${STATUS_REFUSED} conversion`));
    expect(await customerOf(service, clickId)).toMatchObject({ customer_key: null, lead_at: null });
  });
});

describe('the sender of a lead', () => {
  it.each([
    ['no header', undefined],
    ['nothing after Bearer', 'Bearer'],
    ['an empty token after Bearer', 'Bearer    '],
  ])('is in browser mode with %s', async (_case, authorization) => {
    const { link } = await service.program({ leadAuth: 'server_required' });
    const clickId = await service.clickId(link);
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const { status, body } = await service.lead({ click_id: clickId }, { headers });
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, provisional: true });
    expect(await customerOf(service, clickId)).toMatchObject({ lead_state: 'provisional' });
  });

  it.each(['Bearer', 'bearer', 'BEARER'])('is in server mode with a valid key after %s', async (scheme) => {
    const { link, apiKey } = await service.program({ leadAuth: 'server_required' });
    const clickId = await service.clickId(link);
    const headers = { authorization: `${scheme} ${apiKey}` };
    expect((await service.lead({ click_id: clickId }, { headers })).body).toEqual(TRACKED);
  });

  it.each(['Basic dXNlcjpwYXNz', 'Token abc', 'svc_key_abc'])(
    `gets 401 ${MALFORMED}, for %j`,
    async (authorization) => {
      const { program, link } = await service.program();
      const clickId = await service.clickId(link);
      const { status, body, headers } = await service.lead({ click_id: clickId }, { headers: { authorization } });
      expect(status).toBe(401);
      expect(body).toEqual(platformError(401, 'UnauthorizedError', MALFORMED));
      expect(headers['x-request-id']).toBeTruthy();
      expect(await service.counts(program.id)).toMatchObject({ customers: 1, decisions: 0 });
      expect(await customerOf(service, clickId)).toMatchObject({ status: 'click' });
    },
  );

  it('gets 401 Invalid API token if the token matches no program', async () => {
    const { program, link } = await service.program();
    const clickId = await service.clickId(link);
    const { status, body } = await service.lead({ click_id: clickId }, { key: 'svc_key_of_nobody' });
    expect(status).toBe(401);
    expect(body).toEqual(platformError(401, 'UnauthorizedError', 'Invalid API token'));
    expect(await service.counts(program.id)).toMatchObject({ decisions: 0 });
    expect(await customerOf(service, clickId)).toMatchObject({ status: 'click' });
  });

  it('gets 403 Origin not allowed for this program in browser mode on another site', async () => {
    const { program, link, apiKey } = await service.program();
    const clickId = await service.clickId(link);
    const headers = { origin: 'https://elsewhere.test' };
    const { status, body } = await service.lead({ click_id: clickId }, { headers });
    expect(status).toBe(403);
    expect(body).toEqual(platformError(403, 'ForbiddenError', 'Origin not allowed for this program'));
    expect(await customerOf(service, clickId)).toMatchObject({ status: 'click', lead_at: null });
    expect(await service.counts(program.id)).toMatchObject({ decisions: 0 });
    expect((await service.lead({ click_id: clickId }, { key: apiKey, headers })).body).toEqual(TRACKED);
  });

  it.each(['https://acme.test', 'https://shop.acme.test', 'http://localhost:3000'])(
    'is accepted in browser mode on %s',
    async (origin) => {
      const { link } = await service.program({ allowedOrigins: ['http://localhost:3000'] });
      const clickId = await service.clickId(link);
      expect((await service.lead({ click_id: clickId }, { headers: { origin } })).body).toEqual(TRACKED);
    },
  );
});

describe('a lead that cannot be stored', () => {
  it('gets 500 Lead tracking failed and changes nothing, so that a retry is recorded', async () => {
    const acme = await service.program();
    const clickId = await service.clickId(acme.link);
    const sent = { click_id: clickId, customer_key: 'user-1' };
    const { status, body, headers } = await whileRefused(service, 'decisions', () =>
      service.lead(sent, { key: acme.apiKey }),
    );
    expect(status).toBe(500);
    expect(body).toEqual(platformError(500, 'InternalServerError', 'Lead tracking failed'));
    expect(headers['x-request-id']).toBeTruthy();
    expect(await customerOf(service, clickId)).toMatchObject({ status: 'click', customer_key: null });
    expect((await service.lead(sent, { key: acme.apiKey })).body).toEqual(TRACKED);
    expect((await service.lead(sent, { key: acme.apiKey })).body).toEqual(badRequest(`${STATUS_REFUSED} lead`));
  });
});
