import { everythingStored, manage, newOwner, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { sold } from '@svc/testkit/service/sold.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const asOwner = (made: OwnedProgram, method: string, rest = '', body?: object) =>
  service.call(method, manage(made, rest), { key: made.owner.token, body });

function settingsOf({ program, apiKey }: OwnedProgram) {
  return {
    id: program.id,
    name: 'Acme',
    slug: `acme-${program.id}`,
    domain: 'acme.test',
    status: 'active',
    commission_type: 'percent',
    commission_rate: 20,
    commission: '20% per sale',
    earnings: ['20% of each sale, not of renewals', NET],
    commission_base: 'net',
    attribution: 'first',
    currency: 'USD',
    recurring_months: null,
    cookie_window_days: 60,
    attribution_window_days: 60,
    hold_days: 30,
    lead_auth: 'browser_allowed',
    coupons_win: false,
    allowed_origins: [],
    link_parameters: [],
    contact_email: null,
    contact_url: null,
    joining: 'closed',
    join_url: null,
    brand_color: null,
    logo_url: null,
    api_key_masked: `${apiKey.slice(0, 12)}****${apiKey.slice(-4)}`,
    api_key_rotate_by: null,
    created_at: program.createdAt.toISOString(),
  };
}

const NET = 'Tax and shipping do not count';

describe('GET /api/v1/manage/programs/:id', () => {
  it('answers 200 with the settings, and the key only masked', async () => {
    const made = await ownedProgram(service);
    const { status, body, text } = await asOwner(made, 'GET');
    expect({ status, body }).toEqual({ status: 200, body: { data: settingsOf(made) } });
    expect(text).not.toContain(made.apiKey);
  });
});

describe('PATCH /api/v1/manage/programs/:id', () => {
  it.each([
    ['name', { name: 'Acme Inc' }, {}],
    ['domain', { domain: 'https://new.acme.test/x' }, { domain: 'new.acme.test' }],
    [
      'commission_type',
      { commission_type: 'recurring_percent' },
      { commission: '20% recurring', earnings: ['20% of each sale and renewal', NET] },
    ],
    [
      'commission_rate',
      { commission_rate: 12.5 },
      { commission: '12.5% per sale', earnings: ['12.5% of each sale, not of renewals', NET] },
    ],
    [
      'commission_base',
      { commission_base: 'gross' },
      { earnings: ['20% of each sale, not of renewals', 'Tax and shipping count'] },
    ],
    ['currency', { currency: 'eur' }, { currency: 'EUR' }],
    ['recurring_months', { recurring_months: 12 }, {}],
    ['cookie_window_days', { cookie_window_days: 7 }, {}],
    ['attribution_window_days', { attribution_window_days: 3650 }, {}],
    ['hold_days', { hold_days: 0 }, {}],
    ['lead_auth', { lead_auth: 'server_required' }, {}],
    ['coupons_win', { coupons_win: true }, {}],
    ['allowed_origins', { allowed_origins: ['http://localhost:3000'] }, {}],
    ['link_parameters', { link_parameters: ['via', '_get', 'ps_partner_key'] }, {}],
  ])('changes %s and nothing else', async (_field, body, shown) => {
    const made = await ownedProgram(service);
    const answer = await asOwner(made, 'PATCH', '', body);
    const expected = { data: { ...settingsOf(made), ...body, ...shown } };
    expect(answer).toMatchObject({ status: 200, body: expected });
    expect(answer.body).toEqual(expected);
    await expect.poll(async () => (await asOwner(made, 'GET')).body).toEqual(expected);
  });

  it('add_allowed_origins keeps every origin that concurrent requests add, once, up to the limit', async () => {
    const made = await ownedProgram(service);
    const add = (...origins: string[]) => asOwner(made, 'PATCH', '', { add_allowed_origins: origins });
    const wanted = Array.from({ length: 8 }, (_, n) => `http://localhost:${3000 + n}`);
    await Promise.all(wanted.map((origin) => add(origin)));
    const { body } = await add('http://localhost:3000/');
    expect(body.data.allowed_origins.toSorted()).toEqual(wanted);
    const tooMany = await add(...Array.from({ length: 93 }, (_, n) => `https://a${n}.test`));
    expect(tooMany).toMatchObject({ status: 400, body: badRequest('A program can have at most 100 allowed origins') });
  });

  it.each([null, 0])('recurring_months %j removes the limit', async (recurring_months) => {
    const made = await ownedProgram(service, { commissionType: 'recurring_percent', recurringMonths: 12 });
    const { body } = await asOwner(made, 'PATCH', '', { recurring_months });
    expect(body.data).toMatchObject({ recurring_months: null, commission: '20% recurring' });
  });

  it('null counts as absent in every other field', async () => {
    const made = await ownedProgram(service, { commissionType: 'recurring_percent', recurringMonths: 12 });
    const nulls = { name: null, domain: null, commission_rate: null, hold_days: null, allowed_origins: null };
    const { status, body } = await asOwner(made, 'PATCH', '', nulls);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ name: 'Acme', domain: 'acme.test', recurring_months: 12 });
  });

  it('changes nothing when one of several fields is refused', async () => {
    const made = await ownedProgram(service);
    const answer = await asOwner(made, 'PATCH', '', { name: 'Other', hold_days: -1 });
    expect(answer).toMatchObject({
      status: 400,
      body: badRequest('hold_days must be a whole number from 0 to 3650'),
    });
    expect((await asOwner(made, 'GET')).body.data).toEqual(settingsOf(made));
  });

  it('ignores fields that cannot be changed', async () => {
    const made = await ownedProgram(service);
    const body = { id: 1, slug: 'mine', advertiser_id: 1, api_key_masked: 'x', created_at: '2020-01-01T00:00:00Z' };
    expect((await asOwner(made, 'PATCH', '', body)).body.data).toEqual(settingsOf(made));
  });

  it('applies to later events, and leaves existing commissions unchanged', async () => {
    const made = await ownedProgram(service);
    const before = await sold(service, made);
    await asOwner(made, 'PATCH', '', {
      commission_rate: 50,
      cookie_window_days: 9,
      allowed_origins: ['http://a.test'],
    });
    const page = { affiliate_url: `https://acme.test/?aff=${made.link}` };
    const click = () => service.click(page, { headers: { origin: 'http://a.test' } });
    await expect.poll(async () => (await click()).body).toMatchObject({ cookie_window_days: 9 });
    const after = await sold(service, made);
    const rows = await service.sql('select id, commission_cents from commissions where program_id = $1 order by id', [
      made.program.id,
    ]);
    expect(rows).toEqual([
      { id: before.commissionId, commission_cents: 2000 },
      { id: after.commissionId, commission_cents: 5000 },
    ]);
  });
});

describe('POST /api/v1/manage/programs/:id/api-key/regenerate', () => {
  it('answers with the new key in full, this one time; it works and the old one stops working', async () => {
    const made = await ownedProgram(service);
    expect((await service.readiness(made.apiKey)).status).toBe(200);
    const { status, body } = await asOwner(made, 'POST', '/api-key/regenerate');
    const key = body.data.api_key;
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          api_key: expect.stringMatching(/^svc_key_[\w-]{32}$/),
          api_key_masked: `${key.slice(0, 12)}****${key.slice(-4)}`,
        },
      },
    });
    expect((await service.readiness(key)).status).toBe(200);
    await expect.poll(async () => (await service.readiness(made.apiKey)).status).toBe(401);
    expect((await asOwner(made, 'GET')).body.data.api_key_masked).toBe(body.data.api_key_masked);
    expect(await everythingStored(service)).not.toContain(key);
  });

  it('removes the mark for rotation together with the old key', async () => {
    const made = await ownedProgram(service);
    const rotate_by = new Date(service.time.getTime() + 1000).toISOString();
    await asOwner(made, 'POST', '/api-key/require-rotation', { rotate_by });
    const { api_key } = (await asOwner(made, 'POST', '/api-key/regenerate')).body.data;
    service.advance({ seconds: 2 });
    const answer = await service.readiness(api_key);
    expect(answer.status).toBe(200);
    expect(answer.body).not.toHaveProperty('warnings');
  });
});

describe('POST /api/v1/manage/programs/:id/api-key/require-rotation', () => {
  it('answers with api_key_masked, marked_at and rotate_by; the key warns until then and is refused afterwards', async () => {
    const made = await ownedProgram(service);
    const rotate_by = new Date(service.time.getTime() + 86_400_000).toISOString();
    const { status, body } = await asOwner(made, 'POST', '/api-key/require-rotation', { rotate_by });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          api_key_masked: settingsOf(made).api_key_masked,
          marked_at: service.time.toISOString(),
          rotate_by,
        },
      },
    });
    expect((await asOwner(made, 'GET')).body.data.api_key_rotate_by).toBe(rotate_by);
    await expect.poll(async () => (await service.readiness(made.apiKey)).body.warnings).toMatchObject([{ rotate_by }]);
    service.advance({ days: 1 });
    expect((await service.readiness(made.apiKey)).body.error.code).toBe('api_key_rotation_required');
  });

  it('accepts a time with an offset', async () => {
    const made = await ownedProgram(service);
    const body = { rotate_by: '2030-01-01T02:00:00+02:00' };
    const answer = await asOwner(made, 'POST', '/api-key/require-rotation', body);
    expect(answer.body.data.rotate_by).toBe('2030-01-01T00:00:00.000Z');
  });

  it('400 rotate_by must be in the future: now is not', async () => {
    const made = await ownedProgram(service);
    const body = { rotate_by: service.time.toISOString() };
    const answer = await asOwner(made, 'POST', '/api-key/require-rotation', body);
    expect(answer).toMatchObject({ status: 400, body: badRequest('rotate_by must be in the future') });
    expect((await service.readiness(made.apiKey)).body).not.toHaveProperty('warnings');
  });
});

it('500 uses the platform envelope, with a message that reveals nothing', async () => {
  const made = await ownedProgram(service);
  await service.sql('alter table processor_connections rename to processor_connections_away');
  const answer = await asOwner(made, 'GET', '/processor').finally(() =>
    service.sql('alter table processor_connections_away rename to processor_connections'),
  );
  expect(answer.status).toBe(500);
  expect(answer.body).toEqual({
    data: null,
    error: { status: 500, name: 'InternalServerError', message: 'The request failed. Try again.', details: {} },
  });
  expect(answer.headers['x-request-id']).toBeTruthy();
});

it('GET /api/v1/manage/programs lists the programs of the workspace, newest first, with the account’s role', async () => {
  const { token, workspaceId } = await newOwner(service);
  const list = () => service.call('GET', '/api/v1/manage/programs', { key: token });
  expect((await list()).body).toEqual({ data: [] });
  const [first, second] = [await service.program({ workspaceId }), await service.program({ workspaceId })];
  const look = { status: 'active', brand_color: null, logo_url: null };
  const shown = { name: 'Acme', domain: 'acme.test', role: 'owner', commission: '20% per sale', ...look };
  expect((await list()).body).toEqual({
    data: [
      { id: second.program.id, ...shown },
      { id: first.program.id, ...shown },
    ],
  });
});
