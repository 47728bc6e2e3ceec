import { memberOf, newAccount, newOwner, newToken, type OwnerAccount } from '@svc/testkit/service/accounts.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const INIT = '/api/v1/cli/init';
const PROGRAM = { name: 'Acme', domain: 'acme.test', commission_type: 'percent', commission_rate: 20 };
const SIGN_IN = 'Authentication required — run `login` first';
const EXPIRED = 'Invalid or expired token — run `login` again';
const unauthorized = (message: string) => platformError(401, 'UnauthorizedError', message);
const forbidden = (message: string) => platformError(403, 'ForbiddenError', message);

const init = (key: string | undefined, body: object = PROGRAM) => service.call('POST', INIT, { key, body });
const programsOf = ({ workspaceId }: OwnerAccount) =>
  service.sql('select * from programs where advertiser_id = $1 order by id', [workspaceId]);
const everyProgram = async () => (await service.sql('select id from programs')).length;

describe('POST /api/v1/cli/init', () => {
  it('answers 200 with program_id, api_key in full, program_slug, domain and name, and stores the program', async () => {
    const owner = await newOwner(service);
    const { status, body, headers } = await init(owner.token, { ...PROGRAM, name: 'Acme & Söhne' });
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        program_id: expect.any(Number),
        api_key: expect.stringMatching(/^svc_key_[\w-]{32}$/),
        program_slug: `acme-so-hne-${body.data.program_id}`,
        domain: 'acme.test',
        name: 'Acme & Söhne',
      },
    });
    expect(headers['x-request-id']).toBeTruthy();
    expect(await programsOf(owner)).toEqual([
      expect.objectContaining({
        id: body.data.program_id,
        commission_type: 'percent',
        commission_rate: '20.0000',
        currency: 'USD',
        recurring_months: null,
        cookie_window_days: 60,
        attribution_window_days: 60,
        hold_days: 30,
        lead_auth: 'browser_allowed',
        allowed_origins: [],
        created_at: service.time,
      }),
    ]);
  });

  it('the key works immediately', async () => {
    const owner = await newOwner(service);
    const { api_key, program_id } = (await init(owner.token)).body.data;
    expect(await service.readiness(api_key)).toMatchObject({ status: 200, body: { program_id } });
    expect((await service.call('GET', '/api/v1/cli/status', { key: api_key })).status).toBe(200);
  });

  it('run twice, it creates a second program and leaves the first one’s key alone', async () => {
    const owner = await newOwner(service);
    const first = (await init(owner.token)).body.data;
    const second = (await init(owner.token)).body.data;
    expect(second.program_id).not.toBe(first.program_id);
    expect(second.program_slug).not.toBe(first.program_slug);
    expect(second.api_key).not.toBe(first.api_key);
    expect((await service.readiness(first.api_key)).status).toBe(200);
  });

  it.each(['percent', 'fixed', 'recurring_percent', 'recurring_fixed'])('accepts commission_type %s', async (type) => {
    const owner = await newOwner(service);
    expect((await init(owner.token, { ...PROGRAM, commission_type: type })).status).toBe(200);
    expect(await programsOf(owner)).toMatchObject([{ commission_type: type }]);
  });

  it.each([
    ['acme.test', 'acme.test'],
    ['https://acme.test', 'acme.test'],
    ['https://www.acme.test/pricing?x=1#top', 'acme.test'],
    ['WWW.acme.test', 'acme.test'],
    ['www.test', 'www.test'],
    ['http://localhost:3000/', 'localhost'],
    ['acme.test:8080/path', 'acme.test'],
    ['  ACME.Test ', 'acme.test'],
    ['https://www.acme.test/', 'acme.test'],
    ['www.shop.acme.test', 'shop.acme.test'],
    ['www.test', 'www.test'],
    ['https://müller.test/', 'xn--mller-kva.test'],
  ])('a domain sent as %j is reduced to its host %s', async (sent, domain) => {
    const owner = await newOwner(service);
    expect((await init(owner.token, { ...PROGRAM, domain: sent })).body.data.domain).toBe(domain);
    expect(await programsOf(owner)).toMatchObject([{ domain }]);
  });

  it.each([
    ['cookie_window_days', { cookie_window_days: 45 }, { cookie_window_days: 45 }],
    ['its alias cookie_duration', { cookie_duration: 45 }, { cookie_window_days: 45 }],
    ['cookie_window_days before its alias', { cookie_window_days: 7, cookie_duration: 45 }, { cookie_window_days: 7 }],
    ['recurring_months', { recurring_months: 12 }, { recurring_months: 12 }],
    ['its alias duration_months', { duration_months: 12 }, { recurring_months: 12 }],
    ['recurring_months of 0, which is without end', { recurring_months: 0 }, { recurring_months: null }],
    ['duration_months of 0, likewise', { duration_months: 0 }, { recurring_months: null }],
    ['0 before its alias', { recurring_months: 0, duration_months: 6 }, { recurring_months: null }],
    [
      'allowed_origins',
      { allowed_origins: ['http://localhost:3000', 'https://App.acme.test/'] },
      { allowed_origins: ['http://localhost:3000', 'https://app.acme.test'] },
    ],
    ['a rate of four decimals', { commission_rate: 12.3456 }, { commission_rate: '12.3456' }],
  ])('accepts %s', async (_what, fields, stored) => {
    const owner = await newOwner(service);
    expect((await init(owner.token, { ...PROGRAM, ...fields })).status).toBe(200);
    expect(await programsOf(owner)).toMatchObject([stored]);
  });

  it('accepts the account’s own advertiser_id, as a number or as text', async () => {
    const owner = await newOwner(service);
    for (const advertiser_id of [owner.workspaceId, String(owner.workspaceId), null]) {
      expect((await init(owner.token, { ...PROGRAM, advertiser_id })).status).toBe(200);
    }
    expect(await programsOf(owner)).toHaveLength(3);
  });

  it('lets a member of the workspace create programs for it', async () => {
    const owner = await newOwner(service);
    const member = await memberOf(service, owner.workspaceId, 'member');
    expect((await init(member.token)).status).toBe(200);
    expect(await programsOf(owner)).toHaveLength(1);
  });
});

describe('401 on init', () => {
  it.each([
    ['no header', {}],
    ['not Bearer', { authorization: 'Basic YTpi' }],
    ['empty token', { authorization: 'Bearer ' }],
  ])('Authentication required — run `login` first: no Bearer token, %s', async (_what, headers) => {
    const before = await everyProgram();
    const answer = await service.call('POST', INIT, { body: PROGRAM, headers });
    expect(answer).toMatchObject({ status: 401, body: unauthorized(SIGN_IN) });
    expect(answer.headers['x-request-id']).toBeTruthy();
    expect(await everyProgram()).toBe(before);
  });

  it.each([
    ['an unknown token', async () => 'svc_at_nobody'],
    ['a token of another format', async () => 'eyJhbGciOiJIUzI1NiJ9.e30.x'],
    ['a program key', async () => (await service.program()).apiKey],
    [
      'a revoked token',
      async () => {
        const { token } = await newOwner(service);
        await service.call('POST', '/api/v1/manage/logout', { key: token });
        return token;
      },
    ],
    [
      'an expired token',
      async () => {
        const { userId } = await newOwner(service);
        const token = await newToken(service, userId);
        service.advance({ days: 90 });
        return token;
      },
    ],
  ])('Invalid or expired token — run `login` again: %s', async (_what, tokenOf) => {
    const token = await tokenOf();
    const before = await everyProgram();
    const { status, body } = await init(token);
    expect({ status, body }).toEqual({ status: 401, body: unauthorized(EXPIRED) });
    expect(await everyProgram()).toBe(before);
  });

  it('User not found: the account is gone', async () => {
    const { token, userId } = await newOwner(service);
    await service.sql('delete from users where id = $1', [userId]);
    const { status, body } = await init(token);
    expect({ status, body }).toEqual({ status: 401, body: unauthorized('User not found') });
  });
});

describe('403 on init', () => {
  it('No advertiser found for this account', async () => {
    const { token } = await newAccount(service);
    const { status, body } = await init(token);
    expect({ status, body }).toEqual({ status: 403, body: forbidden('No advertiser found for this account') });
  });

  it('advertiser_id does not match the authenticated account; this is checked before the fields', async () => {
    const [owner, other] = [await newOwner(service), await newOwner(service)];
    for (const advertiser_id of [other.workspaceId, String(other.workspaceId), 'mine', 0, {}, []]) {
      for (const fields of [PROGRAM, {}]) {
        const { status, body } = await init(owner.token, { ...fields, advertiser_id });
        expect({ status, body }).toEqual({
          status: 403,
          body: forbidden('advertiser_id does not match the authenticated account'),
        });
      }
    }
    expect(await programsOf(owner)).toEqual([]);
    expect(await programsOf(other)).toEqual([]);
  });
});

describe('400 on init', () => {
  const MISSING = 'Missing required fields: name, domain, commission_type, commission_rate';
  const invalidType = (value: unknown) =>
    `Invalid commission_type: ${value}. Valid: percent, fixed, recurring_percent, recurring_fixed`;

  it.each<{ advertiser_id: unknown }>([
    { advertiser_id: { toString: 1 } },
    { advertiser_id: { toString: null, valueOf: null } },
    { advertiser_id: [{ toString: 1 }] },
    { advertiser_id: {} },
    { advertiser_id: true },
    { advertiser_id: 'x' },
  ])('403 for an advertiser_id that does not exist: %j', async ({ advertiser_id }) => {
    const owner = await newOwner(service);
    const answer = await init(owner.token, { ...PROGRAM, advertiser_id });
    const message = 'advertiser_id does not match the authenticated account';
    expect(answer).toMatchObject({ status: 403, body: platformError(403, 'ForbiddenError', message) });
  });

  it.each([
    [MISSING, 'nothing', {}],
    [MISSING, 'no name', { ...PROGRAM, name: undefined }],
    [MISSING, 'no domain', { ...PROGRAM, domain: undefined }],
    [MISSING, 'no commission_type', { ...PROGRAM, commission_type: undefined }],
    [MISSING, 'no commission_rate', { ...PROGRAM, commission_rate: undefined }],
    [MISSING, 'empty name', { ...PROGRAM, name: '' }],
    [MISSING, 'one missing and another wrong', { ...PROGRAM, name: null, commission_type: 'hourly' }],
    [invalidType('hourly'), 'unknown', { ...PROGRAM, commission_type: 'hourly' }],
    [invalidType('PERCENT'), 'in capitals', { ...PROGRAM, commission_type: 'PERCENT' }],
    [invalidType(7), 'a number', { ...PROGRAM, commission_type: 7 }],
    [invalidType('an object'), 'an object', { ...PROGRAM, commission_type: {} }],
    [invalidType('an object'), 'an object that is no text', { ...PROGRAM, commission_type: { toString: 1 } }],
    [invalidType('a list'), 'a list', { ...PROGRAM, commission_type: [{ toString: null }] }],
    [invalidType('hourly'), 'before the rate', { ...PROGRAM, commission_type: 'hourly', commission_rate: -1 }],
    ['commission_rate must be a positive number', 'a string', { ...PROGRAM, commission_rate: '20' }],
    ['commission_rate must be a positive number', 'zero', { ...PROGRAM, commission_rate: 0 }],
    ['commission_rate must be a positive number', 'negative', { ...PROGRAM, commission_rate: -5 }],
    ['commission_rate must be a positive number', 'a boolean', { ...PROGRAM, commission_rate: true }],
    ['domain must be a host name, like example.com', 'no host', { ...PROGRAM, domain: 'not a domain' }],
  ])('%s: %s', async (message, _what, body) => {
    const owner = await newOwner(service);
    const answer = await init(owner.token, body);
    expect(answer).toMatchObject({ status: 400, body: badRequest(message) });
    expect(answer.headers['x-request-id']).toBeTruthy();
    expect(await programsOf(owner)).toEqual([]);
  });
});
