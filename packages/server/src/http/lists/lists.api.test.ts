import {
  manage,
  type OwnedProgram,
  ownedProgram,
  partnerAccount,
  unchangedProgram,
} from '@svc/testkit/service/accounts.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { describe, expect, it } from 'vitest';
import { reasons } from '../../decisions/reasons.ts';

const service = useService();

type Row = { id: number; type?: string; created_at: string };

/** Every list with a function that adds a row to it. */
const lists: [path: string, add: (made: OwnedProgram) => Promise<unknown>][] = [
  ['/partners', ({ program }) => service.partner(program)],
  ['/links', ({ program }) => service.partner(program)],
  ['/events', ({ link }) => service.clickId(link)],
  ['/customers', ({ link }) => service.clickId(link)],
  ['/sales', (made) => sold(service, made)],
  ['/commissions', (made) => sold(service, made)],
];

const get = (made: OwnedProgram, path: string) => service.call('GET', manage(made, path), { key: made.owner.token });
const keyOf = ({ type = '', id }: Row) => `${type}:${id}`;
const encode = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');

/** All pages of the list, first to last; `between` runs after each. */
async function walk(made: OwnedProgram, path: string, limit: number, between = async () => {}): Promise<Row[][]> {
  const pages: Row[][] = [];
  let cursor: string | null = null;
  do {
    const { status, body } = await get(made, `${path}?limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`);
    expect(status).toBe(200);
    expect(body.meta.limit).toBe(limit);
    pages.push(body.data);
    cursor = body.meta.next_cursor;
    await between();
  } while (cursor);
  return pages;
}

describe.each(lists)('GET /api/v1/manage/programs/:id%s', (path, add) => {
  it('is newest first, in pages that together have every row once', async () => {
    const made = await ownedProgram(service);
    for (let row = 0; row < 7; row += 1) {
      await add(made);
      if (row % 3 === 0) service.advance({ seconds: 60 });
    }
    const all = (await get(made, `${path}?limit=100`)).body;
    expect(all.data.length).toBeGreaterThanOrEqual(7);
    expect(all.meta).toEqual({ next_cursor: null, limit: 100 });
    const times = all.data.map(({ created_at }: Row) => Date.parse(created_at));
    expect(times).toEqual([...times].sort((a, b) => b - a));
    for (const limit of [1, 3, 7]) {
      const pages = await walk(made, path, limit);
      expect(pages.flat()).toEqual(all.data);
      for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit);
    }
  });

  it('repeats and skips no row while new rows arrive', async () => {
    const made = await ownedProgram(service);
    for (let row = 0; row < 5; row += 1) await add(made);
    const before: Row[] = (await get(made, `${path}?limit=100`)).body.data;
    service.advance({ seconds: 1 });
    let added = 0;
    const walked = await walk(made, path, 2, async () => {
      if (added < 3) await add(made);
      added += 1;
    });
    const seen = walked.flat().map(keyOf);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(before.map(keyOf));
  });

  it('has no next_cursor when the last page is exactly full', async () => {
    const made = await ownedProgram(service);
    await add(made);
    const count = (await get(made, path)).body.data.length;
    expect((await get(made, `${path}?limit=${count}`)).body.meta).toEqual({ next_cursor: null, limit: count });
  });

  it('has 25 rows per page by default, and at most 100', async () => {
    const made = await unchangedProgram(service);
    expect((await get(made, path)).body.meta.limit).toBe(25);
    expect((await get(made, `${path}?limit=100`)).status).toBe(200);
  });

  it.each(['0', '-1', '101', '1.5', 'ten', '', '1e9', 'NaN', '1&limit=2'])('400 for limit=%s', async (limit) => {
    const answer = await get(await unchangedProgram(service), `${path}?limit=${limit}`);
    expect(answer).toMatchObject({ status: 400, body: badRequest('limit must be a whole number from 1 to 100') });
  });

  it.each([
    ['no base64', '***'],
    ['no JSON', Buffer.from('nonsense').toString('base64url')],
    ['no list', encode({ id: 1 })],
    ['an empty list', encode([])],
    ['null', encode([null])],
    ['a fraction', encode([1.5])],
    ['a number larger than any id', encode([1e300])],
    ['text', encode(['1; drop table sales'])],
    ['a time and no id', encode(['2026-01-01T00:00:00.000Z', 'click'])],
    ['a time and a fraction', encode(['2026-01-01T00:00:00.000Z', 'click', 1.5])],
    ['a time and a number larger than any id', encode(['2026-01-01T00:00:00.000Z', 'click', 1e300])],
    ['a type that cannot be stored', encode(['2026-01-01T00:00:00.000Z', '\0', 1])],
    ['a time that does not exist', encode(['2026-02-31T99:00:00.000Z', 'click', 1])],
    ['a time beyond the calendar', encode(['+275760-09-13T00:00:00.000Z', 'click', 1])],
  ])('400 cursor is not valid for this list: %s', async (_what, cursor) => {
    const made = await unchangedProgram(service);
    const answer = await get(made, `${path}?cursor=${encodeURIComponent(cursor)}`);
    expect(answer).toMatchObject({ status: 400, body: badRequest('cursor is not valid for this list') });
  });

  it('an empty cursor is the first page', async () => {
    const made = await ownedProgram(service);
    await add(made);
    expect((await get(made, `${path}?cursor=`)).body).toEqual((await get(made, path)).body);
  });
});

describe('rows', () => {
  it('a sale, a customer and the events have the fields of the contract', async () => {
    const made = await ownedProgram(service);
    const clickId = await service.clickId(made.link);
    const customer_key = newId('user');
    await service.lead({ click_id: clickId, customer_key, email: 'jane@example.com' }, { key: made.apiKey });
    const transaction_id = newId('order');
    const sale = { transaction_id, customer_key, amount_cents: 10_000, tax_cents: 1_600, currency: 'eur' };
    const { sale_id } = (await service.sale(sale, { key: made.apiKey })).body.data;
    await service.refund({ transaction_id, refund_amount_cents: 400 }, { key: made.apiKey });
    const created_at = service.time.toISOString();
    const partner_id = made.partnerId;
    const customer_id = Number(clickId.split('_')[1]);

    expect((await get(made, '/sales')).body.data).toEqual([
      {
        id: sale_id,
        transaction_id,
        customer_id,
        customer_key,
        partner_id,
        partner_name: 'Jane',
        sub: null,
        amount_cents: 10_000,
        tax_cents: 1_600,
        shipping_cents: null,
        commission_base: 'net',
        base_cents: 8_400,
        terms_version: 1,
        currency: 'EUR',
        status: 'partially_refunded',
        refunded_cents: 400,
        disputed_cents: 0,
        commission_id: expect.any(Number),
        commission_cents: 1_680,
        commission_deducted_cents: 67,
        commission_currency: 'EUR',
        commission_status: 'partially_reversed',
        created_at,
      },
    ]);
    expect((await get(made, '/customers')).body.data).toEqual([
      {
        id: customer_id,
        click_id: clickId,
        customer_key,
        status: 'conversion',
        partner_id,
        partner_name: 'Jane',
        sub: null,
        email_masked: 'j***@example.com',
        created_at,
      },
    ]);
    const { data: events } = (await get(made, '/events')).body;
    expect(events.map(({ type }: Row) => type).sort()).toEqual(['click', 'lead', 'refund', 'sale']);
    const of = (type: string) => events.find((event: Row) => event.type === type);
    const common = {
      id: expect.any(Number),
      is_test: false,
      customer_id,
      partner_id,
      partner_name: 'Jane',
      outcome: 'recorded',
      message: null,
      created_at,
    };
    const none = { sale_id: null, transaction_id: null, amount_cents: null, currency: null };
    const noReason = { reason: null, sentence: null };
    const link_id = expect.any(Number);
    expect(of('click')).toEqual({ ...common, ...none, ...noReason, type: 'click', link_id, customer_key });
    const lead = { reason: 'lead_recorded', sentence: reasons.lead_recorded };
    expect(of('lead')).toEqual({ ...common, ...none, ...lead, type: 'lead', link_id: null, customer_key });
    const paid = {
      amount_cents: 10_000,
      currency: 'EUR',
      reason: 'sale_attributed',
      sentence: reasons.sale_attributed,
    };
    expect(of('sale')).toEqual({
      ...common,
      ...paid,
      type: 'sale',
      link_id: null,
      sale_id,
      transaction_id,
      customer_key,
    });
    expect(of('refund')).toMatchObject({ amount_cents: 400, currency: 'EUR', reason: 'commission_partially_reversed' });
    expect(of('refund')).toMatchObject({ type: 'refund', sale_id, transaction_id, partner_id, is_test: false });
    await service.refund({ transaction_id }, { key: made.apiKey });
    expect((await get(made, '/sales')).body.data[0]).toMatchObject({ status: 'refunded', refunded_cents: 10_000 });
  });

  it('events mark test events as such; customers and sales omit them', async () => {
    const made = await ownedProgram(service);
    await service.call('POST', '/api/v1/cli/test-event', { key: made.apiKey, body: { type: 'chain' } });
    const { data } = (await get(made, '/events')).body;
    expect(data.map(({ type, is_test }: Row & { is_test: boolean }) => [type, is_test]).sort()).toEqual([
      ['click', true],
      ['lead', true],
      ['sale', true],
    ]);
    expect((await get(made, '/customers')).body.data).toEqual([]);
    expect((await get(made, '/sales')).body.data).toEqual([]);
  });

  it('events include what was refused only if asked for, with the reason and the amount', async () => {
    const made = await ownedProgram(service);
    const transaction_id = newId('order');
    await service.sale({ transaction_id, amount_cents: 4_900, customer_key: 'x' }, { key: made.apiKey });
    await service.sale({ transaction_id, amount_cents: -1, customer_key: 'x' }, { key: made.apiKey });
    service.advance({ seconds: 1 });
    await service.clickId(made.link);
    const types = async (query: string) => (await get(made, `/events${query}`)).body.data.map(({ type }: Row) => type);
    expect(await types('')).toEqual(['click']);
    expect(await types('?outcome=all')).toEqual(['click', 'sale', 'sale']);
    expect(await types('?outcome=refused&type=click')).toEqual([]);
    const refused = (await get(made, '/events?outcome=refused')).body.data;
    expect(refused).toMatchObject([
      { outcome: 'refused', reason: 'invalid_request', message: expect.stringContaining('amount_cents') },
      { outcome: 'refused', reason: 'customer_not_found', message: null, amount_cents: 4_900, currency: 'USD' },
    ]);
    const { token } = await partnerAccount(service, made.partnerId);
    const asPartner = await service.call('GET', manage(made, '/events?outcome=all'), { key: token });
    expect(asPartner.body.data.map(({ type }: Row) => type)).toEqual(['click']);
  });
});

describe('filters', () => {
  it('of sales: partner_id, customer_key, transaction_id, from (inclusive) and to (exclusive)', async () => {
    const made = await ownedProgram(service);
    const other = await service.partner(made.program);
    const first = await sold(service, made);
    const from = service.time.toISOString();
    service.advance({ days: 1 });
    const to = service.time.toISOString();
    const second = await sold(service, { ...made, ...other });
    const ids = async (query: string) => (await get(made, `/sales?${query}`)).body.data.map(({ id }: Row) => id);
    expect(await ids('')).toEqual([second.saleId, first.saleId]);
    expect(await ids(`partner_id=${other.partnerId}`)).toEqual([second.saleId]);
    expect(await ids(`transaction_id=${first.transactionId}`)).toEqual([first.saleId]);
    expect(await ids(`from=${from}&to=${to}`)).toEqual([first.saleId]);
    expect(await ids(`from=${to}`)).toEqual([second.saleId]);
    expect(await ids(`to=${from}`)).toEqual([]);
    expect(await ids(`from=${to.slice(0, 10)}`)).toEqual([second.saleId]);
    const { customer_key } = (await get(made, `/sales?transaction_id=${first.transactionId}`)).body.data[0];
    expect(await ids(`customer_key=${customer_key}`)).toEqual([first.saleId]);
    expect(await ids('customer_key=nobody')).toEqual([]);
  });

  it('of customers: status, partner_id and customer_key', async () => {
    const made = await ownedProgram(service);
    await service.clickId(made.link);
    await service.customer(made, 'lead-1');
    await sold(service, made);
    await service.lead({ customer_key: 'nobodys' }, { key: made.apiKey });
    const found = async (query: string) =>
      (await get(made, `/customers?${query}`)).body.data.map((row: { status: string; customer_key: string }) => [
        row.status,
        row.customer_key,
      ]);
    expect(await found('status=click')).toEqual([['click', null]]);
    expect(await found('status=lead')).toEqual([
      ['lead', 'nobodys'],
      ['lead', 'lead-1'],
    ]);
    expect(await found('status=conversion')).toEqual([['conversion', expect.any(String)]]);
    expect(await found('customer_key=lead-1')).toEqual([['lead', 'lead-1']]);
    expect(await found(`partner_id=${made.partnerId}`)).toHaveLength(3);
  });

  it('of events: type', async () => {
    const made = await ownedProgram(service);
    const { transactionId } = await sold(service, made);
    await service.refund({ transaction_id: transactionId }, { key: made.apiKey });
    for (const type of ['click', 'lead', 'sale', 'refund']) {
      const { data } = (await get(made, `/events?type=${type}`)).body;
      expect(data.map((event: Row) => event.type)).toEqual([type]);
    }
  });

  it('of partners: status and case-insensitive search in name and e-mail; of links: partner_id', async () => {
    const made = await ownedProgram(service);
    const add = { key: made.owner.token, body: { name: 'Zoë Blogs', email: `${newId('zoe')}@blogs.test` } };
    const { id } = (await service.call('POST', manage(made, '/partners'), add)).body.data;
    const ids = async (query: string) => (await get(made, `/partners?${query}`)).body.data.map((row: Row) => row.id);
    expect(await ids('q=ZOE')).toEqual([id]);
    expect(await ids('q=blogs.TEST')).toEqual([id]);
    expect(await ids('q=%25')).toEqual([]);
    expect(await ids('status=blocked')).toEqual([]);
    expect(await ids('status=active')).toEqual([id, made.partnerId]);
    expect((await get(made, `/links?partner_id=${id}`)).body.data).toEqual([]);
    expect((await get(made, `/links?partner_id=${made.partnerId}`)).body.data).toHaveLength(1);
  });

  it.each([
    ['/partners?status=gone', 'status must be applied, active, blocked, removed'],
    ['/customers?status=gone', 'status must be one of click, lead, conversion'],
    [
      '/commissions?status=gone',
      'status must be one of pending, approved, paid, reversed, partially_reversed, rejected',
    ],
    ['/events?type=commission', 'type must be one of click, lead, sale, refund'],
    ['/sales?partner_id=x', 'partner_id must be a whole number'],
    ['/sales?partner_id=0', 'partner_id must be a whole number'],
    ['/sales?partner_id=1.5', 'partner_id must be a whole number'],
    ['/links?partner_id=99999999999999999999', 'partner_id must be a whole number'],
    ['/sales?from=yesterday', 'from must be a date or an ISO 8601 time'],
    ['/commissions?to=soon', 'to must be a date or an ISO 8601 time'],
    ['/sales?transaction_id=%00', 'transaction_id contains characters that cannot be stored'],
    [`/sales?customer_key=${'x'.repeat(256)}`, 'customer_key must be at most 255 characters'],
    ['/partners?q=%00', 'q contains characters that cannot be stored'],
  ])('400 on %s: %s', async (path, message) => {
    const answer = await get(await unchangedProgram(service), path);
    expect(answer).toMatchObject({ status: 400, body: badRequest(message) });
  });

  it.each([
    '/sales?from=%2B275760-09-13',
    '/sales?from=-271821-04-20',
    '/commissions?to=%2B275760-09-13',
    '/sales?from=0',
  ])('a time at the edge of the calendar does not cause a failure: %s', async (path) => {
    expect([200, 400]).toContain((await get(await unchangedProgram(service), path)).status);
  });
});
