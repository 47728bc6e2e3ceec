import { platformError, type TestProgram, useService } from '@svc/testkit/service/service.ts';
import { newId, storedSale } from '@svc/testkit/service/sold.ts';
import { badRequest, decisionsOf, whileRefused } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';

const service = useService();

const PATH = '/api/v1/track/batch';
const send = ({ apiKey }: TestProgram, items: unknown[], headers = {}) =>
  service.call('POST', PATH, { body: { items }, key: apiKey, headers });
const statuses = ({ body }: { body: { data: { results: { status: number }[] } } }) =>
  body.data.results.map(({ status }) => status);

describe('POST /api/v1/track/batch', () => {
  it('answers each item as its own route would, in the order sent', async () => {
    const [one, other] = [await service.program(), await service.program()];
    const customer = newId('user');
    const [order, otherOrder] = [newId('order'), newId('order')];
    const itemsFor = async (made: TestProgram, transaction_id: string) => [
      { type: 'lead', click_id: await service.clickId(made.link), customer_key: customer, email: 'ann@example.test' },
      { type: 'sale', transaction_id, customer_key: customer, amount_cents: 4900, currency: 'eur' },
      { type: 'refund', transaction_id, refund_amount_cents: 900, refund_id: 'r1' },
      { type: 'sale', transaction_id, customer_key: customer, amount_cents: 4900 },
      { type: 'lead', customer_key: customer },
      { type: 'sale', transaction_id: newId('order'), customer_key: customer, amount_cents: 0 },
      { type: 'sale', amount_cents: 100 },
      { type: 'refund', transaction_id: newId('order') },
      { type: 'sale', transaction_id: newId('order'), customer_key: newId('nobody'), amount_cents: 100 },
      { type: 'lead' },
      { type: 'refund', transaction_id, refund_amount_cents: 4_001 },
      { type: 'sale', additional_data: { test_mode: true, program_id: 999_999 } },
    ];
    const batch = await send(one, await itemsFor(one, order));
    const singles = [];
    for (const { type, ...body } of await itemsFor(other, otherOrder)) {
      const { status, body: answered } = await service.call('POST', `/api/v1/track/${type}`, {
        body,
        key: other.apiKey,
      });
      singles.push({ status, body: answered });
    }
    expect(batch.status).toBe(200);
    expect(batch.body).toMatchObject({ success: true });
    expect(withoutIds(batch.body.data.results)).toEqual(
      withoutIds(singles.map((single, index) => ({ index, ...single }))),
    );
    expect(statuses(batch)).toEqual([200, 200, 200, 409, 400, 400, 400, 404, 400, 400, 400, 403]);
    const facts = ({ kind, outcome, reason, is_test }: Record<string, unknown>) =>
      [kind, outcome, reason, is_test].join(' ');
    const [decided, decidedSingly] = [await decisionsOf(service, one), await decisionsOf(service, other)];
    expect(decided.map(facts).sort()).toEqual(decidedSingly.map(facts).sort());
  });

  it('lets an item rely on those before it, also when they name the customer differently', async () => {
    const made = await service.program({ leadAuth: 'server_required', attributionWindowDays: 5 });
    const [key, order] = [newId('user'), newId('order')];
    const claimed = await service.clickId(made.link);
    await service.lead({ click_id: claimed, customer_key: key });
    service.advance({ days: 3 });
    // The page’s claim is settled by the key alone, and then the sale is found by it.
    const answer = await send(made, [
      { type: 'sale', transaction_id: newId('early'), customer_key: key, amount_cents: 100 },
      { type: 'lead', customer_key: key },
      { type: 'sale', transaction_id: order, customer_key: key, amount_cents: 100 },
      { type: 'lead', click_id: claimed },
      { type: 'refund', transaction_id: order },
      { type: 'refund', transaction_id: order },
    ]);
    expect(statuses(answer)).toEqual([400, 200, 200, 400, 200, 200]);
    const { results } = answer.body.data;
    expect(results[3].body.error.message).toBe('Customer status cannot be updated to lead. Current status: conversion');
    expect(results.slice(4).map(({ body }: { body: { data: { status: string } } }) => body.data.status)).toEqual([
      'reversed',
      'already_refunded',
    ]);
  });

  it('records the rest when an item is no lead, sale or refund, or when the store refuses one', async () => {
    const made = await service.program();
    const key = newId('user');
    await service.customer(made, key);
    const sale = (transaction_id: string, fields = {}) => ({
      ...{ type: 'sale', transaction_id, customer_key: key, amount_cents: 500 },
      ...fields,
    });
    const [first, last] = [newId('order'), newId('order')];
    const broken = [null, 7, 'sale', [], {}, { type: 'click' }, { type: 'toString' }, { type: null }];
    const answer = await whileRefused(
      service,
      'sales',
      () => send(made, [sale(first), sale(newId('order'), { product_id: 'refused' }), ...broken, sale(last)]),
      "new.product_id = 'refused'",
    );
    expect(statuses(answer)).toEqual([200, 500, ...broken.map(() => 400), 200]);
    const { results } = answer.body.data;
    expect(results[1].body).toEqual(platformError(500, 'InternalServerError', 'Sale tracking failed'));
    for (const { body } of results.slice(2, -1)) expect(body).toEqual(badRequest('type must be lead, sale or refund'));
    for (const index of [0, results.length - 1]) {
      const stored = await storedSale(service, results[index].body.data.sale_id);
      expect(stored).toMatchObject({ sale: { amount_cents: 500 }, commission: { commission_cents: 100 } });
    }
  });

  it('records test items as their routes do, each under an id of its own', async () => {
    const made = await service.program();
    const test = { additional_data: { test_mode: true } };
    const answer = await send(made, [
      ...Array.from({ length: 20 }, () => ({ type: 'sale', ...test })),
      { type: 'lead', customer_key: 'nobody', ...test },
    ]);
    const { results } = answer.body.data;
    expect(statuses(answer)).toEqual(results.map(() => 200));
    expect(new Set(results.slice(0, 20).map((result: { body: { data: object } }) => result.body.data)).size).toBe(20);
    expect(results[20].body).toMatchObject({ message: 'Test lead event tracked successfully' });
    const rows = await service.sql<{ processor_event_id: string; is_test: boolean }>(
      'select processor_event_id, is_test from sales where program_id = $1',
      [made.program.id],
    );
    expect(new Set(rows.map((row) => row.processor_event_id)).size).toBe(20);
    expect(rows.every((row) => row.is_test && row.processor_event_id.startsWith('test_txn_'))).toBe(true);
  });

  it('accepts 1,000 items, keeps duplicates apart, and writes each of them once', async () => {
    const made = await service.program();
    const key = newId('user');
    await service.customer(made, key);
    const prefix = newId('order');
    const items = Array.from({ length: 1_000 }, (_, index) => ({
      ...{ type: 'sale', transaction_id: `${prefix}-${index % 999}`, customer_key: key, amount_cents: 100 + index },
    }));
    const answer = await send(made, items);
    expect(statuses(answer)).toEqual(items.map((_, index) => (index === 999 ? 409 : 200)));
    const { results } = answer.body.data;
    expect(results.map(({ index }: { index: number }) => index)).toEqual(items.map((_, index) => index));
    const [stored] = await service.sql(
      `select count(*) as sales, sum(amount_cents)::int as cents, count(distinct c.id) as commissions
       from sales s join commissions c on c.sale_id = s.id where s.program_id = $1`,
      [made.program.id],
    );
    expect(stored).toEqual({ sales: 999, cents: 100 * 999 + (998 * 999) / 2, commissions: 999 });
  });

  it('accepts a body of 1 MiB, and refuses more with 413', async () => {
    const made = await service.program();
    const text = JSON.stringify({ items: [{ type: 'refund', transaction_id: newId('order') }] });
    const sendText = (body: string) =>
      service.call('POST', PATH, { body, key: made.apiKey, headers: { 'content-type': 'application/json' } });
    expect(statuses(await sendText(text.padEnd(1024 * 1024)))).toEqual([404]);
    const refused = await sendText(text.padEnd(1024 * 1024 + 1));
    expect([refused.status, refused.body]).toEqual([
      413,
      platformError(413, 'PayloadTooLargeError', 'Request body is larger than 1 MiB'),
    ]);
  });

  it('counts as one request against the limit of sales and refunds', async () => {
    const made = await service.program();
    const left = async (answer: Promise<{ headers: Record<string, string | undefined> }>) =>
      Number((await answer).headers['x-ratelimit-remaining']);
    const items = Array.from({ length: 50 }, () => ({ type: 'refund', transaction_id: newId('order') }));
    const before = await left(service.refund({ transaction_id: newId('order') }, { key: made.apiKey }));
    expect(await left(send(made, items))).toBe(before - 1);
    expect(await left(service.sale({}, { key: made.apiKey }))).toBe(before - 2);
  });

  it('adds the warnings about a key that must be rotated to the answer and to every body', async () => {
    const made = await service.program();
    const warned = [expect.objectContaining({ code: 'api_key_rotation_required' })];
    await service.sql(
      `update program_keys set marked_at = $2, rotate_by = $2::timestamptz + interval '1 day' where program_id = $1`,
      [made.program.id, service.time],
    );
    await expect.poll(async () => (await send(made, [{ type: 'lead' }])).body.warnings).toEqual(warned);
    const { body, headers } = await send(made, [{ type: 'lead', customer_key: newId('user') }, { type: 'lead' }]);
    expect(body.data.results.map((result: { body: { warnings: unknown } }) => result.body.warnings)).toEqual([
      warned,
      warned,
    ]);
    expect(headers.deprecation).toMatch(/^@\d+$/);
  });
});

/** The results without the ids that the store assigned, which are other ones for each program. */
function withoutIds(results: { index: number; status: number; body: { data?: object | null } }[]) {
  return results.map(({ body, ...result }) => {
    const { sale_id, commission_id, ...data } = (body.data ?? {}) as Record<string, unknown>;
    return {
      ...result,
      body: { ...body, data: body.data && { ...data, has: [typeof sale_id, typeof commission_id] } },
    };
  });
}
