import {
  everythingStored,
  manage,
  memberOf,
  newAccount,
  newOwner,
  ownedProgram,
} from '@svc/testkit/service/accounts.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const create = (key: string, body: object) => service.call('POST', '/api/v1/manage/programs', { key, body });

describe('POST /api/v1/manage/programs', () => {
  it('answers 201 with the settings, or their defaults, and the key in full, this one time', async () => {
    const { token } = await newOwner(service);
    const { status, body } = await create(token, { name: 'Blue Shop', domain: 'https://Shop.test/x' });
    const { id, api_key } = body.data;
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        data: {
          id: expect.any(Number),
          name: 'Blue Shop',
          slug: `blue-shop-${id}`,
          domain: 'shop.test',
          status: 'active',
          commission_type: 'percent',
          commission_rate: 20,
          commission: '20% per sale',
          earnings: ['20% of each sale, not of renewals', 'Tax and shipping do not count'],
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
          api_key_masked: `${api_key.slice(0, 12)}****${api_key.slice(-4)}`,
          api_key_rotate_by: null,
          created_at: service.time.toISOString(),
          api_key: expect.stringMatching(/^svc_key_/),
        },
      },
    });
    expect((await service.readiness(api_key)).body.program_id).toBe(id);
    expect(await everythingStored(service)).not.toContain(api_key);
  });

  it('accepts every setting that can be changed later', async () => {
    const { workspaceId } = await newOwner(service);
    const { token } = await memberOf(service, workspaceId, 'member');
    const settings = {
      name: 'Acme',
      domain: 'acme.test',
      commission_type: 'recurring_fixed',
      commission_rate: 7.5,
      commission_base: 'gross',
      currency: 'EUR',
      recurring_months: 12,
      cookie_window_days: 14,
      attribution_window_days: 15,
      hold_days: 0,
      lead_auth: 'server_required',
      allowed_origins: ['http://localhost:3000'],
      link_parameters: ['via', 'ref'],
    };
    const { status, body } = await create(token, settings);
    expect(status).toBe(201);
    expect(body.data).toMatchObject(settings);
    const read = await service.call('GET', `/api/v1/manage/programs/${body.data.id}`, { key: token });
    expect(read.body.data).toMatchObject(settings);
    expect(read.body.data).not.toHaveProperty('api_key');
  });

  it.each([{}, { name: 'Acme' }, { domain: 'acme.test' }, { name: '', domain: 'acme.test' }])(
    '400 name and domain are required: %j',
    async (body) => {
      const owner = await newOwner(service);
      expect(await create(owner.token, body)).toMatchObject({
        status: 400,
        body: badRequest('name and domain are required'),
      });
      expect(await service.sql('select 1 from programs where advertiser_id = $1', [owner.workspaceId])).toEqual([]);
    },
  );

  it('403 for an account without a workspace', async () => {
    const { token } = await newAccount(service);
    const message = 'No advertiser found for this account';
    expect(await create(token, { name: 'Acme', domain: 'acme.test' })).toMatchObject({
      status: 403,
      body: platformError(403, 'ForbiddenError', message),
    });
  });
});

describe('GET /api/v1/manage/programs/:id/readiness', () => {
  it('is the same report that the program key gets', async () => {
    const made = await ownedProgram(service);
    const read = () => service.call('GET', manage(made, '/readiness'), { key: made.owner.token });
    const { status, body } = await read();
    expect({ status, body }).toEqual({ status: 200, body: { data: (await service.readiness(made.apiKey)).body } });
    await service.call('POST', manage(made, '/test-chain'), { key: made.owner.token });
    expect((await read()).body.data).toMatchObject({ state: 'ready', integration_verified: false });
  });
});

describe('POST /api/v1/manage/programs/:id/test-chain', () => {
  const run = (made: Awaited<ReturnType<typeof ownedProgram>>) =>
    service.call('POST', manage(made, '/test-chain'), { key: made.owner.token });

  it('returns the outcome of each step, and creates no commission', async () => {
    const made = await ownedProgram(service);
    const { status, body } = await run(made);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          type: 'chain',
          short_code: `svc-test-${made.program.id}`,
          customer_key: expect.stringMatching(/^svc_test_\d+$/),
          verdict: { click: 'attributed', lead: 'attributed', sale: 'attributed' },
          attributed: true,
        },
      },
    });
    expect(await service.counts(made.program.id)).toMatchObject({ customers: 1, clicks: 1, sales: 1, commissions: 0 });
  });

  it('429 on the eleventh in an hour, counted together with those run with the program key', async () => {
    const made = await ownedProgram(service);
    const byKey = { key: made.apiKey, body: { type: 'chain' } };
    for (let chain = 0; chain < 5; chain += 1) {
      expect((await run(made)).status).toBe(200);
      expect((await service.call('POST', '/api/v1/cli/test-event', byKey)).status).toBe(200);
    }
    const answer = await run(made);
    expect(answer.status).toBe(429);
    expect(answer.body).toEqual({
      error: {
        code: 'rate_limited',
        message: 'Too many synthetic chains (max 10/program/hour).',
        status: 429,
        retry_after_seconds: 3600,
      },
    });
    expect(answer.headers['retry-after']).toBe('3600');
  });
});
