import { untilNumbered } from '@svc/testkit/service/numbered.ts';
import { type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { whileMissing } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';
import { OPERATOR } from '../audit/audit-store.ts';
import { regenerateKey } from '../programs/regenerate-key.ts';
import { rollUpDeltas } from '../rollups/count-store.ts';

const service = useService();

const action = expect.stringMatching(/./);
const report = async ({ apiKey }: TestProgram) => (await service.readiness(apiKey)).body;
const asTest = { additional_data: { test_mode: true } };

const chainOf = (click: string, lead: string, sale: string) => ({ click, lead, sale });

let orders = 0;

/** A click, a signup and a payment of one customer, all at the current time. */
async function chain({ link, apiKey }: TestProgram, extra: object = {}): Promise<void> {
  orders += 1;
  const clickId = await service.clickId(link, extra);
  const customer = { customer_key: `user-${orders}`, ...extra };
  expect((await service.lead({ click_id: clickId, ...customer }, { key: apiKey })).status).toBe(200);
  const sale = { transaction_id: `order-${orders}`, amount_cents: 1000, ...customer };
  expect((await service.sale(sale, { key: apiKey })).status).toBe(200);
}

async function everyRow(): Promise<Record<string, unknown[]>> {
  const tables = await service.sql<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const rows: Record<string, unknown[]> = {};
  for (const { name } of tables) rows[name] = await service.sql(`select to_jsonb(t) as row from ${name} t order by 1`);
  return rows;
}

describe('GET /api/v1/programs/me/readiness', () => {
  it('answers a new program with the whole report, without a data envelope', async () => {
    const made = await service.program();
    const { status, body } = await service.readiness(made.apiKey);
    expect(status).toBe(200);
    expect(body).toEqual({
      program_id: made.program.id,
      state: 'configuring',
      integration_verified: false,
      blocker: 'tracking',
      gates: {
        profile: { status: 'pass' },
        economics: { status: 'pass' },
        payout: { status: 'unknown', next_action: action, mode: null },
        tracking: { status: 'fail', next_action: action, checked_at: null, cookie_set_by: null },
        live: { status: 'fail', next_action: action, test_chain: chainOf('pending', 'pending', 'pending') },
      },
      last_event_at: { click: null, lead: null, sale: null },
      counts_24h: { clicks: 0, leads: 0, sales: 0 },
      key_rotated_at: null,
      poll: { retry_after_seconds: 5 },
    });
  });

  it('follows the real events of the program: ready after the click, live_verified after lead and sale', async () => {
    const made = await service.program();
    const clickedAt = service.time.toISOString();
    const clickId = await service.clickId(made.link);
    expect(await report(made)).toMatchObject({
      state: 'ready',
      blocker: 'live',
      gates: { tracking: { status: 'pass', checked_at: clickedAt }, live: { status: 'fail' } },
      last_event_at: { click: clickedAt, lead: null, sale: null },
      counts_24h: { clicks: 1, leads: 0, sales: 0 },
    });

    service.advance({ seconds: 90 });
    const leadAt = service.time.toISOString();
    await service.lead({ click_id: clickId, customer_key: 'buyer' }, { key: made.apiKey });
    expect(await report(made)).toMatchObject({
      state: 'ready',
      last_event_at: { click: clickedAt, lead: leadAt, sale: null },
      counts_24h: { clicks: 1, leads: 1, sales: 0 },
    });

    service.advance({ seconds: 90 });
    const soldAt = service.time.toISOString();
    const sale = { transaction_id: `order-live-${made.program.id}`, amount_cents: 1000, customer_key: 'buyer' };
    await service.sale(sale, { key: made.apiKey });
    expect(await report(made)).toMatchObject({
      state: 'live_verified',
      integration_verified: true,
      blocker: null,
      gates: {
        payout: { status: 'pass', mode: 'api' },
        tracking: { status: 'pass', checked_at: soldAt },
        live: { status: 'pass', test_chain: chainOf('pending', 'pending', 'pending') },
      },
      last_event_at: { click: clickedAt, lead: leadAt, sale: soldAt },
      counts_24h: { clicks: 1, leads: 1, sales: 1 },
    });
  });

  it('follows the test chain, which never counts as real events', async () => {
    const made = await service.program();
    const seen = async () => (await report(made)).gates.live.test_chain;
    const clickId = await service.clickId(made.link, asTest);
    expect(await seen()).toEqual(chainOf('attributed', 'pending', 'pending'));
    await service.lead({ click_id: clickId, customer_key: 'tester', ...asTest }, { key: made.apiKey });
    expect(await seen()).toEqual(chainOf('attributed', 'attributed', 'pending'));
    await service.sale({ customer_key: 'tester', ...asTest }, { key: made.apiKey });
    await rollUpDeltas(service.ctx.db);
    expect(await report(made)).toMatchObject({
      state: 'integration_verified',
      integration_verified: true,
      blocker: null,
      gates: {
        live: { status: 'unknown', next_action: action, test_chain: chainOf('attributed', 'attributed', 'attributed') },
      },
      last_event_at: { click: null, lead: null, sale: null },
      counts_24h: { clicks: 0, leads: 0, sales: 0 },
    });
  });

  it('does not count standalone test events as a chain: they have no partner', async () => {
    const made = await service.program();
    await service.click(asTest, { key: made.apiKey });
    await service.lead({ customer_key: 'nobody', ...asTest }, { key: made.apiKey });
    await service.sale(asTest, { key: made.apiKey });
    expect(await report(made)).toMatchObject({
      state: 'integration_verified',
      gates: { payout: { mode: 'api' }, live: { test_chain: chainOf('pending', 'pending', 'pending') } },
    });
  });

  it('does not see the events of other programs', async () => {
    const [made, other] = [await service.program(), await service.program()];
    await chain(other);
    await chain(other, asTest);
    expect(await report(made)).toMatchObject({
      state: 'configuring',
      gates: { live: { test_chain: chainOf('pending', 'pending', 'pending') } },
      last_event_at: { click: null, lead: null, sale: null },
      counts_24h: { clicks: 0, leads: 0, sales: 0 },
    });
  });

  it.each([
    ['no name', `name = ''`, 'profile'],
    ['an invalid domain', `domain = 'not a domain'`, 'profile'],
    ['a commission above 100 percent', 'commission_rate = 120', 'economics'],
  ])('is a draft with %s, and says what to do', async (_what, change, gate) => {
    const made = await service.program();
    await service.sql(`update programs set ${change} where id = $1`, [made.program.id]);
    const body = await report(made);
    expect(body).toMatchObject({ state: 'draft', integration_verified: false, blocker: gate });
    expect(body.gates[gate]).toEqual({ status: 'fail', next_action: action });
  });

  it('key_rotated_at is when the key was last regenerated', async () => {
    const made = await service.program();
    service.advance({ days: 1 });
    const { apiKey } = await regenerateKey(service.ctx, made.program, OPERATOR);
    expect(await report({ ...made, apiKey })).toMatchObject({ key_rotated_at: service.time.toISOString() });
  });

  it('writes nothing', async () => {
    const made = await service.program();
    await chain(made);
    await untilNumbered(service);
    const before = await everyRow();
    await report(made);
    expect(await everyRow()).toEqual(before);
  });

  it('500 Failed to compute readiness. Retry shortly.: typed, internal_error, wait 10 seconds', async () => {
    const made = await service.program();
    const { status, body, headers } = await whileMissing(service, 'sales', () => service.readiness(made.apiKey));
    expect(status).toBe(500);
    expect(body).toEqual({
      error: {
        code: 'internal_error',
        message: 'Failed to compute readiness. Retry shortly.',
        retry_after_seconds: 10,
      },
    });
    expect(headers['x-request-id']).toMatch(/./);
    expect((await service.readiness(made.apiKey)).status).toBe(200);
  });
});

describe('counts_24h', () => {
  const moments = [
    ['on the hour', '10:00:00.000'],
    ['a millisecond after the hour', '10:00:00.001'],
    ['within the hour', '10:34:56.789'],
    ['a millisecond before the hour', '10:59:59.999'],
  ] as const;
  const foldings = [
    ['before its clicks are rolled up', async () => {}],
    ['after they are rolled up', () => rollUpDeltas(service.ctx.db)],
  ] as const;
  const rows = moments.flatMap(([when, time]) => foldings.map(([how, fold]) => [when, how, time, fold] as const));

  it.each(rows)('of events %s, %s: they count for 24 hours', async (_when, _how, time, fold) => {
    const made = await service.program();
    const day = new Date(service.time.getTime() + 86_400_000).toISOString().slice(0, 10);
    const at = new Date(`${day}T${time}Z`).getTime();
    service.time = new Date(at);
    await chain(made);
    await fold();
    const counts = async (laterMs: number) => {
      service.time = new Date(at + laterMs);
      return (await report(made)).counts_24h;
    };
    const one = { clicks: 1, leads: 1, sales: 1 };
    expect(await counts(0)).toEqual(one);
    expect(await counts(3_600_000)).toEqual(one);
    expect(await counts(23 * 3_600_000)).toEqual(one);
    expect(await counts(86_400_000 - 1)).toEqual(one);
    expect(await counts(86_400_000)).toEqual({ clicks: 0, leads: 0, sales: 0 });
    expect(await counts(86_400_000 + 1)).toEqual({ clicks: 0, leads: 0, sales: 0 });
  });

  it('add what is rolled up, what is not yet, and the part of the first hour', async () => {
    const made = await service.program();
    const start = new Date('2027-01-05T10:30:00Z').getTime();
    for (const [minutes, fold] of [
      [-1, true],
      [0, true],
      [10, false],
      [45, true],
      [600, false],
      [1439, false],
    ] as const) {
      service.time = new Date(start + minutes * 60_000);
      await service.clickId(made.link);
      if (fold) await rollUpDeltas(service.ctx.db);
    }
    service.time = new Date(start + 1440 * 60_000);
    expect((await report(made)).counts_24h).toEqual({ clicks: 4, leads: 0, sales: 0 });
  });

  it('exclude refused and unattributed sales, and include leads without a partner', async () => {
    const made = await service.program();
    await service.lead({ customer_key: 'alone' }, { key: made.apiKey });
    const sale = { transaction_id: 'order-alone', amount_cents: 1000, customer_key: 'alone' };
    expect((await service.sale(sale, { key: made.apiKey })).status).toBe(400);
    expect((await report(made)).counts_24h).toEqual({ clicks: 0, leads: 1, sales: 0 });
  });
});
