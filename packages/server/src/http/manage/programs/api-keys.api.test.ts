import { manage, type OwnedProgram, ownedProgram } from '@svc/testkit/service/accounts.ts';
import { eventually } from '@svc/testkit/service/eventually.ts';
import { platformError, useService } from '@svc/testkit/service/service.ts';
import { newId, sold, storedSale } from '@svc/testkit/service/sold.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const NOT_FOUND = platformError(404, 'NotFoundError', 'Not Found');
const INVALID = platformError(401, 'UnauthorizedError', 'Invalid API token');
const mask = (key: string) => `${key.slice(0, 12)}****${key.slice(-4)}`;

const asOwner = (made: OwnedProgram, method: string, path: string, body?: object) =>
  service.call(method, manage(made, path), { key: made.owner.token, ...(body && { body }) });
const listOf = async (made: OwnedProgram) => (await asOwner(made, 'GET', '/api-keys')).body.data;
const statusWith = async (key: string) => (await service.readiness(key)).status;

async function addKey(made: OwnedProgram, mode: 'live' | 'test' = 'live') {
  const { status, body } = await asOwner(made, 'POST', '/api-keys', { mode });
  expect(status).toBe(201);
  return body.data as { id: number; api_key: string };
}

describe('two live keys', () => {
  it('work side by side, each with its last use, until one is retired; the log names both by their masks', async () => {
    const made = await ownedProgram(service);
    const created_at = service.time.toISOString();
    expect((await service.readiness(made.apiKey)).status).toBe(200);
    const { status, body } = await asOwner(made, 'POST', '/api-keys', {});
    const { api_key: newKey } = body.data;
    const row = { mode: 'live', created_at, rotate_by: null };
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        data: {
          ...{ ...row, id: expect.any(Number), last_used_at: null },
          ...{ api_key: expect.stringMatching(/^svc_key_[\w-]{32}$/), api_key_masked: mask(newKey) },
        },
      },
    });
    const [newer, older] = await eventually(
      () => listOf(made),
      ([, old]) => old.last_used_at !== null,
    );
    expect([newer, older]).toEqual([
      { ...row, id: body.data.id, last_used_at: null, api_key_masked: mask(newKey) },
      { ...row, id: expect.any(Number), last_used_at: created_at, api_key_masked: mask(made.apiKey) },
    ]);

    const sale = (await sold(service, made)).transactionId;
    expect((await service.refund({ transaction_id: sale }, { key: newKey })).status).toBe(200);
    expect(await statusWith(made.apiKey)).toBe(200);
    expect((await asOwner(made, 'GET', '')).body.data.api_key_masked).toBe(mask(newKey));

    const retired = await asOwner(made, 'DELETE', `/api-keys/${older.id}`);
    expect({ status: retired.status, body: retired.body }).toEqual({ status: 200, body: { data: {} } });
    const refused = await service.sale({ transaction_id: newId('order') }, { key: made.apiKey });
    expect({ status: refused.status, body: refused.body }).toEqual({ status: 401, body: INVALID });
    expect(await statusWith(newKey)).toBe(200);
    expect((await listOf(made)).map(({ id }: { id: number }) => id)).toEqual([newer.id]);
    expect((await service.readiness(newKey)).body.key_rotated_at).toBe(service.time.toISOString());

    const log = await service.sql(
      `select action, before, after from audit_events where program_id = $1 and action like 'key.%' order by id`,
      [made.program.id],
    );
    expect(log).toEqual([
      { action: 'key.created', before: {}, after: { api_key_masked: mask(newKey), mode: 'live' } },
      { action: 'key.retired', before: { api_key_masked: mask(made.apiKey), mode: 'live' }, after: {} },
    ]);
  });

  it('record a use at most once an hour, whatever its answer', async () => {
    const made = await ownedProgram(service);
    const lastUse = async () => (await listOf(made))[0].last_used_at;
    const first = service.time.toISOString();
    expect((await service.sale({}, { key: made.apiKey })).status).toBe(400);
    expect(await eventually(lastUse, (at) => at !== null)).toBe(first);
    service.advance({ seconds: 3_599 });
    await service.readiness(made.apiKey);
    expect(await lastUse()).toBe(first);
    service.advance({ seconds: 1 });
    await service.readiness(made.apiKey);
    const now = service.time.toISOString();
    expect(await eventually(lastUse, (at) => at === now)).toBe(now);
  });

  it('are the most, of several that are created at once too, and one of them stays', async () => {
    const made = await ownedProgram(service);
    const answers = await Promise.all(Array.from({ length: 4 }, () => asOwner(made, 'POST', '/api-keys', {})));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const message = 'The program has 2 live keys, which is the most. Retire one first.';
    expect(answers.find(({ status }) => status === 409)?.body).toEqual(platformError(409, 'ConflictError', message));
    const keys: { id: number }[] = await listOf(made);
    const ends = await Promise.all(keys.map(({ id }) => asOwner(made, 'DELETE', `/api-keys/${id}`)));
    expect(ends.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(ends.find(({ status }) => status === 409)?.body.error.message).toBe(
      'This is the last live key that works. Create another one first, or regenerate it.',
    );
    expect(await listOf(made)).toHaveLength(1);
  });

  it('both stop when the key is regenerated, and test keys do not', async () => {
    const made = await ownedProgram(service);
    const [second, test] = [await addKey(made), await addKey(made, 'test')];
    const { api_key: fresh } = (await asOwner(made, 'POST', '/api-key/regenerate')).body.data;
    const keys = [made.apiKey, second.api_key, test.api_key, fresh];
    expect(await Promise.all(keys.map(statusWith))).toEqual([401, 401, 200, 200]);
  });

  it('are marked for rotation one after the other, the older one first; the other works without a warning', async () => {
    const made = await ownedProgram(service);
    const second = await addKey(made);
    const rotate_by = new Date(service.time.getTime() + 86_400_000).toISOString();
    const marked = await asOwner(made, 'POST', '/api-key/require-rotation', { rotate_by });
    expect(marked.body.data.api_key_masked).toBe(mask(made.apiKey));
    expect((await service.readiness(made.apiKey)).body.warnings).toMatchObject([{ rotate_by }]);
    expect((await service.readiness(second.api_key)).body.warnings).toBeUndefined();
    expect((await asOwner(made, 'GET', '')).body.data).toMatchObject({
      api_key_masked: mask(second.api_key),
      api_key_rotate_by: rotate_by,
    });
    service.advance({ days: 1 });
    // The only key that works stays, although there are two.
    expect((await asOwner(made, 'DELETE', `/api-keys/${second.id}`)).status).toBe(409);
    expect(await Promise.all([made.apiKey, second.api_key].map(statusWith))).toEqual([401, 200]);
  });

  it('stay refused once their deadline has passed, when the other one is marked', async () => {
    const made = await ownedProgram(service);
    const second = await addKey(made);
    const mark = (days: number) => {
      const rotate_by = new Date(service.time.getTime() + days * 86_400_000).toISOString();
      return asOwner(made, 'POST', '/api-key/require-rotation', { rotate_by });
    };
    await mark(1);
    service.advance({ days: 1 });
    expect((await mark(2)).body.data.api_key_masked).toBe(mask(second.api_key));
    expect(await Promise.all([made.apiKey, second.api_key].map(statusWith))).toEqual([401, 200]);
  });

  it('belong to their program: others do not find them, not even another program of the workspace', async () => {
    const made = await ownedProgram(service);
    await addKey(made);
    const stranger = await ownedProgram(service);
    const sibling = { ...made, ...(await service.program({ workspaceId: made.workspaceId })) };
    const [{ id }] = await listOf(made);
    for (const other of [stranger, sibling]) {
      for (const wrong of [id, 999_999_999, 'abc', '0']) {
        const { status, body } = await asOwner(other, 'DELETE', `/api-keys/${wrong}`);
        expect({ status, body }).toEqual({ status: 404, body: NOT_FOUND });
      }
    }
    expect(await listOf(made)).toHaveLength(2);
    expect((await listOf(stranger)).map(({ api_key_masked: masked }: { api_key_masked: string }) => masked)).toEqual([
      mask(stranger.apiKey),
    ]);
  });
});

describe('a test key', () => {
  it('makes everything a test event, with live bodies, as test mode answers it', async () => {
    const made = await ownedProgram(service);
    const { api_key: key } = await addKey(made, 'test');
    expect(key).toMatch(/^svc_key_test_[\w-]{32}$/);
    const transaction_id = newId('order');

    const click = await service.click({ affiliate_url: `https://acme.test/?aff=${made.link}` }, { key });
    const test = { eventId: expect.any(Number), programId: made.program.id, test_mode: true };
    expect(click.body).toEqual({
      ...{ success: true, message: 'Test click event tracked successfully', data: test },
      ...{ click_id: expect.any(String), partner_code: made.link, cookie_window_days: 60 },
    });
    service.advance({ seconds: 1 });
    const lead = await service.lead({ click_id: click.body.click_id, customer_key: 'tester' }, { key });
    expect(lead.body).toEqual({ success: true, message: 'Test lead event tracked successfully', data: test });
    const sale = { transaction_id, customer_key: 'tester', amount_cents: 5_000 };
    const { status, body } = await service.sale(sale, { key });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { message: 'Test sale event tracked successfully', data: { test_mode: true, commission_id: null } },
    });
    const batch = await service.call('POST', '/api/v1/track/batch', {
      key,
      body: {
        items: [
          { type: 'sale', ...sale, transaction_id: newId('order') },
          { type: 'refund', transaction_id },
        ],
      },
    });
    const results: { status: number; body: { data: object } }[] = batch.body.data.results;
    expect(results.map((result) => result.status)).toEqual([200, 200]);
    expect(results[0]?.body.data).toMatchObject({ test_mode: true, commission_id: null });

    for (const table of ['customers', 'clicks', 'sales', 'decisions']) {
      const rows = await service.sql(`select is_test from ${table} where program_id = $1`, [made.program.id]);
      expect(rows.length, table).toBeGreaterThan(0);
      expect(
        rows.filter(({ is_test }) => !is_test),
        table,
      ).toEqual([]);
    }
    expect(await service.counts(made.program.id)).toMatchObject({ commissions: 0 });
    const { body: ready } = await service.readiness(key);
    expect(ready.counts_24h).toEqual({ clicks: 0, leads: 0, sales: 0 });
  });

  it('moves no live money and no live customer, by whatever it names', async () => {
    const made = await ownedProgram(service);
    const { api_key: key } = await addKey(made, 'test');
    const { transactionId, saleId } = await sold(service, made);
    const before = await storedSale(service, saleId);
    const clickId = await service.clickId(made.link);
    const customers = () =>
      service.sql('select id, status, customer_key from customers where program_id = $1 and not is_test order by id', [
        made.program.id,
      ]);
    const liveCustomers = await customers();

    for (const body of [
      { transaction_id: transactionId },
      { transaction_id: transactionId, additional_data: { test_mode: false } },
    ]) {
      const refused = await service.refund(body, { key });
      expect(refused).toMatchObject({ status: 404, body: { error: { message: 'Sale not found for transaction_id' } } });
    }
    const inBatch = await service.call('POST', '/api/v1/track/batch', {
      key,
      body: { items: [{ type: 'refund', transaction_id: transactionId }] },
    });
    expect(inBatch.body.data.results[0].status).toBe(404);
    await service.lead({ click_id: clickId, customer_key: 'thief' }, { key });
    await service.sale({ transaction_id: newId('order'), click_id: clickId, amount_cents: 9_900 }, { key });
    const again = { transaction_id: transactionId, click_id: clickId, amount_cents: 9_900 };
    await service.sale(again, { key });
    await service.sale({ ...again, additional_data: { test_mode: false } }, { key });

    expect(await storedSale(service, saleId)).toEqual(before);
    expect(await customers()).toEqual(liveCustomers);
    expect(await service.counts(made.program.id)).toMatchObject({ commissions: 1, refunds: 0 });
    const decisions = await service.sql<{ is_test: boolean }>(
      'select is_test from decisions where program_id = $1 order by id',
      [made.program.id],
    );
    // A lead and a sale of the live customer come first.
    expect(decisions.slice(2).every(({ is_test }) => is_test)).toBe(true);
    // What a live key would be answered has not changed.
    expect((await service.sale(again, { key: made.apiKey })).status).toBe(409);
  });

  it('is refused for another program’s test event, leaves a test decision when a body is invalid, and reads no events', async () => {
    const [made, other] = [await ownedProgram(service), await service.program()];
    const { api_key: key } = await addKey(made, 'test');
    const mismatched = { additional_data: { program_id: other.program.id } };
    expect((await service.sale(mismatched, { key })).body.error.message).toBe('program_id does not match the API key');
    expect((await service.sale({ amount_cents: -1 }, { key })).status).toBe(400);
    const decisions = await service.sql('select reason, is_test from decisions where program_id = $1 order by id', [
      made.program.id,
    ]);
    expect(decisions).toEqual([
      { reason: 'program_mismatch', is_test: true },
      { reason: 'invalid_request', is_test: true },
    ]);
    await sold(service, made);
    const { status, body } = await service.call('GET', '/api/v1/events', { key });
    const message = 'Test keys cannot read events, because test events are not among them. Use a live key.';
    expect({ status, body }).toEqual({ status: 403, body: platformError(403, 'ForbiddenError', message) });
  });

  it('signs no visitors of a relay, can be created twice, and be retired without another', async () => {
    const made = await ownedProgram(service);
    const keys = [await addKey(made, 'test'), await addKey(made, 'test')];
    expect((await asOwner(made, 'POST', '/api-keys', { mode: 'test' })).body.error.message).toBe(
      'The program has 2 test keys, which is the most. Retire one first.',
    );
    expect((await service.ctx.lookup.liveKeys(made.program.id)).map(({ isTest }) => isTest)).toEqual([false]);
    for (const { id } of keys) expect((await asOwner(made, 'DELETE', `/api-keys/${id}`)).status).toBe(200);
    expect(await Promise.all(keys.map(({ api_key }) => statusWith(api_key)))).toEqual([401, 401]);
    expect((await service.readiness(made.apiKey)).body.key_rotated_at).toBeNull();
  });
});
