import { manage, type OwnedProgram, ownedProgram, partnerAccount } from '@svc/testkit/service/accounts.ts';
import { approvedSale, asOwner, paidOut } from '@svc/testkit/service/payments/paid.ts';
import { useService } from '@svc/testkit/service/service.ts';
import { newId, sold } from '@svc/testkit/service/sold.ts';
import { badRequest } from '@svc/testkit/service/tracking.ts';
import { beforeAll, describe, expect, it } from 'vitest';

const service = useService();

type Row = Record<string, number | string> & { id?: number; partner_id: number; currency: string };

let made: OwnedProgram;
const get = (path: string, key = made.owner.token) => service.call('GET', manage(made, path), { key });
const keyOf = ({ id, partner_id, currency }: Row) => id ?? `${partner_id} ${currency}`;

/** A partner with a sale of this amount, half of it refunded, and an open payout of 20% of another one. */
async function addRows(name: string, amount_cents: number) {
  const partner = { ...made, ...(await service.partner(made.program)) };
  await service.sql('update partners set name = $2 where id = $1', [partner.partnerId, name]);
  const { transactionId } = await sold(service, partner, { amount_cents });
  await service.refund({ transaction_id: transactionId, refund_amount_cents: amount_cents / 2 }, { key: made.apiKey });
  await approvedSale(service, partner, { amount_cents });
  await paidOut(service, partner, { partner_id: partner.partnerId });
}

beforeAll(async () => {
  made = await ownedProgram(service);
  // Names that differ only in case, amounts that are equal, and a name that is longer than a sort key.
  for (const [name, amount] of [
    ['zoë', 200],
    ['Adam', 400],
    ['adam', 400],
    ['x'.repeat(255), 100],
    ['Émile 🦊', 1_000_000],
  ] as const) {
    await addRows(name, amount);
    service.advance({ seconds: 10 });
  }
});

const sorts: [path: string, sort: string][] = [
  ['/sales', 'created_at'],
  ['/sales', 'amount_cents'],
  ['/sales', 'refunded_cents'],
  ['/sales', 'partner_name'],
  ['/commissions', 'created_at'],
  ['/commissions', 'sale_cents'],
  ['/commissions', 'partner_name'],
  ['/customers', 'created_at'],
  ['/customers', 'partner_name'],
  ['/payouts', 'created_at'],
  ['/payouts', 'amount_cents'],
  ['/payouts', 'partner_name'],
  ['/balances', 'partner_name'],
  ['/balances', 'payable_cents'],
  ['/balances', 'pending_cents'],
];

/** All pages of two rows; `between` runs after each. */
async function walk(path: string, sort: string, between = async () => {}): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const { status, body } = await get(`${path}?sort=${sort}&limit=2${cursor ? `&cursor=${cursor}` : ''}`);
    expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
    rows.push(...body.data);
    cursor = body.meta.next_cursor;
    await between();
  } while (cursor);
  return rows;
}

describe.each(sorts)('GET /api/v1/manage/programs/:id%s?sort=%s', (path, sort) => {
  it('is in that order in both directions, and pages have every row once', async () => {
    const ascending: Row[] = (await get(`${path}?sort=${sort}&limit=100`)).body.data;
    expect(ascending.length).toBeGreaterThanOrEqual(5);
    const descending: Row[] = (await get(`${path}?sort=-${sort}&limit=100`)).body.data;
    expect(descending).toEqual(ascending.toReversed());
    const keys = ascending.map((row) => row[sort] as string | number);
    const comparable = keys.map((key) => (typeof key === 'string' ? key.toLowerCase() : key));
    // Beyond ASCII, the order of text is that of the database.
    const plain = comparable.filter((key) => typeof key === 'number' || /^[ -~]+$/.test(key));
    expect(plain).toEqual(plain.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0)));
    expect((await walk(path, `-${sort}`)).map(keyOf)).toEqual(descending.map(keyOf));
  });
});

it('pages of a sorted list repeat and skip no row while rows are added on both sides of the cursor', async () => {
  const before = (await get('/sales?sort=-amount_cents&limit=100')).body.data as Row[];
  const amounts = [2, 400, 2_000_000];
  const walked = await walk('/sales', '-amount_cents', async () => {
    const amount_cents = amounts.pop();
    if (amount_cents) await sold(service, made, { amount_cents });
  });
  const seen = walked.map(keyOf);
  expect(new Set(seen).size).toBe(seen.length);
  const known = new Set(before.map(keyOf));
  expect(seen.filter((key) => known.has(key))).toEqual(before.map(keyOf));
});

it.each([
  [
    '/sales?sort=color',
    'sort must be one of created_at, amount_cents, refunded_cents, partner_name, with - before it for descending order',
  ],
  [
    '/customers?sort=--created_at',
    'sort must be one of created_at, partner_name, with - before it for descending order',
  ],
  ['/sales?totals=1', 'totals must be true or false'],
])('400 on %s', async (path, message) => {
  expect(await get(path)).toMatchObject({ status: 400, body: badRequest(message) });
});

it('400 on the cursor of another order, and on one with a key of another kind', async () => {
  const { next_cursor } = (await get('/sales?sort=-amount_cents&limit=1')).body.meta;
  const forged = Buffer.from(JSON.stringify(['text', 1, 'amount_cents'])).toString('base64url');
  for (const query of [
    `sort=amount_cents&cursor=${next_cursor}`,
    `sort=partner_name&cursor=${next_cursor}`,
    `cursor=${next_cursor}`,
    `sort=amount_cents&cursor=${forged}`,
  ]) {
    const answer = await get(`/sales?${query}`);
    expect(answer).toMatchObject({ status: 400, body: badRequest('cursor is not valid for this list') });
  }
});

it('totals=true counts and adds up what the filter matches, by currency, not only what the page shows', async () => {
  const on = await ownedProgram(service);
  const other = await service.partner(on.program);
  await sold(service, on, { amount_cents: 1_000 });
  await sold(service, on, { amount_cents: 2_000 });
  const { transactionId } = await sold(service, on, { amount_cents: 3_000, currency: 'EUR' });
  await service.refund({ transaction_id: transactionId, refund_amount_cents: 1_500 }, { key: on.apiKey });
  await sold(service, { ...on, ...other }, { amount_cents: 50_000 });
  const read = async (path: string) => (await asOwner(service, on, 'GET', path)).body.meta;
  expect(await read(`/sales?limit=1&totals=true&partner_id=${on.partnerId}`)).toEqual({
    next_cursor: expect.any(String),
    limit: 1,
    count: 3,
    totals: [
      { currency: 'EUR', count: 1, amount_cents: 3_000, refunded_cents: 1_500 },
      { currency: 'USD', count: 2, amount_cents: 3_000, refunded_cents: 0 },
    ],
  });
  expect(await read('/commissions?totals=true&status=pending')).toMatchObject({
    count: 3,
    totals: [{ currency: 'USD', count: 3, commission_cents: 10_600, deducted_cents: 0 }],
  });
  expect(await read('/commissions?totals=true&status=paid')).toMatchObject({ count: 0, totals: [] });
  expect(await read('/customers?totals=true')).toEqual({ next_cursor: null, limit: 25, count: 4 });
  const { token } = await partnerAccount(service, other.partnerId);
  const own = await service.call('GET', manage(on, '/sales?totals=true'), { key: token });
  expect(own.body.meta).toMatchObject({ count: 1, totals: [{ currency: 'USD', count: 1, amount_cents: 50_000 }] });
});

describe('searching sales and commissions', () => {
  const found = async (on: OwnedProgram, q: string, key = on.owner.token) => {
    const ids: number[][] = [];
    for (const list of ['sales', 'commissions']) {
      const path = manage(on, `/${list}?totals=true&q=${encodeURIComponent(q)}`);
      const { data, meta } = (await service.call('GET', path, { key })).body;
      expect(meta.count).toBe(data.length);
      ids.push(data.map((row: { id: number; sale_id?: number }) => row.sale_id ?? row.id));
    }
    expect(ids[0]).toEqual(ids[1]);
    return ids[0];
  };

  it('finds them by the start of a transaction id, of another id of the payment, or of a customer key', async () => {
    const on = await ownedProgram(service);
    const customer_key = newId('acme-gmbh');
    await service.customer(on, customer_key);
    const { transactionId, saleId } = await sold(service, on, { customer_key });
    await sold(service, on);
    const invoice = newId('in');
    await service.sql('insert into transactions (processor_event_id, program_id, sale_id) values ($1, $2, $3)', [
      invoice,
      on.program.id,
      saleId,
    ]);
    for (const q of [transactionId.slice(0, -1), invoice, customer_key.slice(0, 12)]) {
      expect(await found(on, q)).toEqual([saleId]);
    }
    expect(await found(on, 'gmbh')).toEqual([]);
    expect(await found(await ownedProgram(service), transactionId)).toEqual([]);
  });

  it('finds them by the customer’s full e-mail address for the brand, never for a partner', async () => {
    const on = await ownedProgram(service);
    const click_id = await service.clickId(on.link);
    const customer_key = `${newId('ann')}@shop.test`;
    await service.lead({ click_id, customer_key, email: 'ann@example.com' }, { key: on.apiKey });
    const { saleId } = await sold(service, on, { customer_key });
    expect(await found(on, 'ann@example.com')).toEqual([saleId]);
    expect(await found(on, customer_key)).toEqual([saleId]);
    const { token } = await partnerAccount(service, on.partnerId);
    for (const q of ['ann@example.com', customer_key, customer_key.slice(0, 6)]) {
      expect(await found(on, q, token)).toEqual([]);
    }
  });
});
