import { manage, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { badRequest, whileMissing } from '@svc/testkit/service/tracking.ts';
import { beforeAll, describe, expect, it } from 'vitest';

const service = useService();

const NO_NUMBERS = { clicks: 0, leads: 0, sales: 0, money: [] };
const ATTRIBUTED = { click: 'attributed', lead: 'attributed', sale: 'attributed' };
const TOO_MANY = 'Too many synthetic chains (max 10/program/hour).';
const INVALID = 'Invalid event_type: %s. Valid: click, lead, sale';

const testEvent = (key: string, body: object) => service.call('POST', '/api/v1/cli/test-event', { key, body });
const chain = (key: string) => testEvent(key, { type: 'chain' });
const fixtureOf = ({ program }: TestProgram) =>
  service.sql(
    `select p.name, l.short_link, l.active, l.is_test, p.is_test as partner_is_test, m.status
     from links l join partners p on p.id = l.partner_id
     join memberships m on m.partner_id = p.id and m.program_id = l.program_id
     where l.program_id = $1 and l.is_test`,
    [program.id],
  );

describe('POST /api/v1/cli/test-event with event_type', () => {
  it.each(['click', 'lead', 'sale'])('%s: answers 200 and stores a standalone test event', async (event_type) => {
    const { program, apiKey } = await service.program();
    const { status, body, headers } = await testEvent(apiKey, { event_type });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          event_type,
          event_id: expect.any(Number),
          received: true,
          attributed: false,
          message: expect.stringContaining(`Test ${event_type} event`),
        },
      },
    });
    expect(headers['x-request-id']).toBeTruthy();
    expect(await service.counts(program.id)).toMatchObject({ commissions: 0 });
    const table = event_type === 'click' ? 'clicks' : 'decisions';
    const rows = await service.sql(`select id, is_test from ${table} where program_id = $1`, [program.id]);
    expect(rows).toEqual([{ id: body.data.event_id, is_test: true }]);
  });

  it('repeating one records another event', async () => {
    const { apiKey } = await service.program();
    for (const event_type of ['click', 'lead', 'sale']) {
      const first = (await testEvent(apiKey, { event_type })).body.data.event_id;
      expect((await testEvent(apiKey, { event_type })).body.data.event_id).not.toBe(first);
    }
  });

  it.each([
    ['undefined', {}],
    ['undefined', { event_type: null }],
    ['refund', { event_type: 'refund' }],
    ['CLICK', { event_type: 'CLICK' }],
    ['', { event_type: '' }],
    ['7', { event_type: 7 }],
    ['undefined', { type: 'click' }],
    ['undefined', { type: 'Chain' }],
    ['refund', { event_type: 'refund', type: 'single' }],
  ])(`400 ${INVALID}, sent as %j`, async (value, body) => {
    const { program, apiKey } = await service.program();
    const answer = await testEvent(apiKey, body);
    expect(answer).toMatchObject({ status: 400, body: badRequest(INVALID.replace('%s', value)) });
    expect(answer.headers['x-request-id']).toBeTruthy();
    expect(await service.counts(program.id)).toMatchObject({ clicks: 0, customers: 0, decisions: 0 });
  });
});

describe('POST /api/v1/cli/test-event with type chain', () => {
  it('answers 200: click, lead and sale are attributed, through the real tracking code', async () => {
    const made = await service.program();
    const { status, body } = await chain(made.apiKey);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          type: 'chain',
          short_code: `svc-test-${made.program.id}`,
          customer_key: expect.stringMatching(/^svc_test_\d+$/),
          verdict: ATTRIBUTED,
          attributed: true,
        },
      },
    });
    expect(await fixtureOf(made)).toEqual([
      {
        name: 'Test partner',
        short_link: `svc-test-${made.program.id}`,
        active: true,
        is_test: true,
        partner_is_test: true,
        status: 'active',
      },
    ]);
    const rows = await service.sql(
      `select c.status, c.is_test, c.customer_key, s.is_test as sale_is_test from customers c
       join sales s on s.customer_id = c.id where c.program_id = $1`,
      [made.program.id],
    );
    expect(rows).toEqual([
      { status: 'conversion', is_test: true, customer_key: body.data.customer_key, sale_is_test: true },
    ]);
  });

  it('a chain with an invalid event_type is still a chain', async () => {
    const { apiKey } = await service.program();
    expect((await testEvent(apiKey, { type: 'chain', event_type: null })).body.data.type).toBe('chain');
  });

  it.each([
    ['leads must come from the server', { leadAuth: 'server_required' }],
    ['other commissions', { commissionType: 'recurring_fixed', commissionRate: '5', currency: 'JPY' }],
    ['a short window', { attributionWindowDays: 1 }],
  ] as const)('is attributed with any settings: %s', async (_what, settings) => {
    const { apiKey } = await service.program(settings);
    expect((await chain(apiKey)).body.data).toMatchObject({ verdict: ATTRIBUTED, attributed: true });
  });

  it('passes no gate of readiness: it proves the service, not the site', async () => {
    const { apiKey } = await service.program();
    await chain(apiKey);
    expect((await service.readiness(apiKey)).body).toMatchObject({
      state: 'ready',
      integration_verified: false,
      gates: {
        tracking: { status: 'unknown', checked_at: null },
        payout: { status: 'unknown', mode: null },
        live: { test_chain: ATTRIBUTED },
      },
      last_event_at: { click: null, lead: null, sale: null },
      counts_24h: { clicks: 0, leads: 0, sales: 0 },
    });
  });

  it('leaves no trace in reports, balances, partners and links', async () => {
    const made = await ownedProgram(service);
    await chain(made.apiKey);
    for (const event_type of ['click', 'lead', 'sale']) await testEvent(made.apiKey, { event_type });
    service.advance({ seconds: 3600 });
    const read = async (path: string) =>
      (await service.call('GET', manage(made, path), { key: made.owner.token })).body;
    const report = (await read('/performance?group_by=link')).data;
    expect(report.totals).toEqual(NO_NUMBERS);
    expect(report.groups).toEqual([]);
    for (const list of ['/customers', '/sales', '/commissions']) expect((await read(list)).data).toEqual([]);
    expect((await read('/partners')).data).toHaveLength(1);
    expect((await read('/links')).data).toHaveLength(1);
    expect(await service.counts(made.program.id)).toMatchObject({ commissions: 0 });
    expect(await service.sql('select 1 from count_deltas where program_id = $1', [made.program.id])).toEqual([]);
  });

  it.each([
    [
      'its link was disabled',
      (id: number) => ['update links set active = false where program_id = $1 and is_test', [id]],
    ],
    [
      'its partner was blocked',
      (id: number) => [
        `update memberships set status = 'blocked' where program_id = $1 and partner_id in
         (select id from partners where is_test)`,
        [id],
      ],
    ],
  ] as [string, (id: number) => [string, unknown[]]][])(
    'repairs its fixture when %s, even if clicks on it were refused meanwhile',
    async (_what, change) => {
      const made = await service.program();
      const { short_code } = (await chain(made.apiKey)).body.data;
      await service.sql(...change(made.program.id));
      service.advance({ seconds: 31 });
      expect((await service.click({ affiliate_url: `https://acme.test/?aff=${short_code}` })).status).toBe(410);
      expect((await chain(made.apiKey)).body.data).toMatchObject({ verdict: ATTRIBUTED, attributed: true });
      expect(await fixtureOf(made)).toMatchObject([{ active: true, status: 'active' }]);
    },
  );

  it('works even if its link was followed before it existed', async () => {
    const { program, apiKey } = await service.program();
    const early = await service.click({ affiliate_url: `https://acme.test/?aff=svc-test-${program.id}` });
    expect(early.body.error.message).toBe('Referral link not found');
    expect((await chain(apiKey)).body.data).toMatchObject({ verdict: ATTRIBUTED });
  });

  it('uses one partner and one link, however often it runs', async () => {
    const made = await service.program();
    for (let run = 0; run < 3; run += 1) expect((await chain(made.apiKey)).body.data.attributed).toBe(true);
    expect(await fixtureOf(made)).toHaveLength(1);
  });

  it('a real click on its link is a test click', async () => {
    const { program, apiKey } = await service.program();
    const { short_code } = (await chain(apiKey)).body.data;
    await service.clickId(short_code);
    const clicks = await service.sql('select is_test from clicks where program_id = $1', [program.id]);
    expect(clicks).toEqual([{ is_test: true }, { is_test: true }]);
  });
});

describe('429 Too many synthetic chains (max 10/program/hour).', () => {
  let made: TestProgram;
  beforeAll(async () => {
    made = await service.program();
    for (let run = 0; run < 10; run += 1) {
      expect((await chain(made.apiKey)).status).toBe(200);
      service.advance({ seconds: 60 });
    }
  });

  it('the eleventh within an hour: typed envelope rate_limited with its own retry_after_seconds, and no chain ran', async () => {
    const before = await service.counts(made.program.id);
    const answer = await chain(made.apiKey);
    expect(answer.status).toBe(429);
    expect(answer.body).toEqual({
      error: { status: 429, code: 'rate_limited', message: TOO_MANY, retry_after_seconds: 3000 },
    });
    expect(answer.headers).toMatchObject({ 'retry-after': '3000', 'x-request-id': expect.stringMatching(/./) });
    expect(await service.counts(made.program.id)).toEqual(before);
  });

  it('is checked after the fixture is prepared: a refused run repairs a disabled link', async () => {
    await service.sql('update links set active = false where program_id = $1 and is_test', [made.program.id]);
    expect((await chain(made.apiKey)).status).toBe(429);
    expect(await fixtureOf(made)).toMatchObject([{ active: true }]);
  });

  it('limits neither single events nor other programs', async () => {
    expect((await testEvent(made.apiKey, { event_type: 'click' })).status).toBe(200);
    const other = await service.program({ workspaceId: made.workspaceId });
    expect((await chain(other.apiKey)).status).toBe(200);
  });

  it('a run is possible again when the oldest is an hour old, and only one', async () => {
    service.advance({ seconds: 3000 - 0.001 });
    expect(await chain(made.apiKey)).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    service.advance({ seconds: 0.001 });
    expect((await chain(made.apiKey)).status).toBe(200);
    expect((await chain(made.apiKey)).status).toBe(429);
  });
});

it.each([{ event_type: 'sale' }, { type: 'chain' }])(
  '%j uses the next test_txn_<timestamp> when the current one is taken',
  async (body) => {
    const { apiKey } = await service.program();
    service.advance({ seconds: 1 });
    const transaction_id = `test_txn_${service.time.getTime()}`;
    await service.sale({ transaction_id, additional_data: { test_mode: true } }, { key: apiKey });
    const answer = await testEvent(apiKey, body);
    expect(answer.status).toBe(200);
    if (body.type) expect(answer.body.data.verdict).toEqual(ATTRIBUTED);
  },
);

it('a chain that fails halfway can be run again', async () => {
  const { apiKey } = await service.program();
  expect((await whileMissing(service, 'sales', () => chain(apiKey))).status).toBe(500);
  expect((await chain(apiKey)).body.data).toMatchObject({ verdict: ATTRIBUTED });
});
