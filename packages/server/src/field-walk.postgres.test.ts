import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Accounts from '@svc/testkit/service/accounts.ts';
import type * as Paid from '@svc/testkit/service/payments/paid.ts';
import type * as Services from '@svc/testkit/service/service.ts';
import { newPostgres } from '@svc/testkit/service/stores/store.ts';
import { addLine, copySources, filesWithErrors, importFrom, ROOT } from '@svc/testkit/service/walks/copy-of-sources.ts';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

/** A copy is read as a whole, by the compiler too, which takes a while beside other tests. */
const READING = { timeout: 600_000 };
const isLong = process.env.SVC_TEST_LONG === 'yes';

/** The walk of CONTRIBUTING.md, file by file, for a field `order_note`. */
const STEPS: Record<string, (file: string) => void> = {
  'packages/contract/src/track/sale.ts': (file) =>
    addLine(file, "product_id: optionalIdentifier('product_id'),", "order_note: optionalIdentifier('order_note'),"),
  'packages/server/src/db/migrations/NNNN-….sql': (file) =>
    writeFileSync(
      file.replace('NNNN-…', '9999-order-note'),
      'lock table sales in access exclusive mode;\nalter table sales add column order_note text;\n',
    ),
  'packages/contract/src/manage/sales.ts': (file) =>
    addLine(file, 'shipping_cents: z.int().nullable(),', 'order_note: z.string().nullable(),'),
  'packages/dashboard/src/features/sales/sale-columns.tsx': (file) =>
    addLine(
      file,
      'export function brandSaleColumns(',
      "const note: Column<Sale> = { title: 'Note', cell: ({ order_note: text }) => text };\n  totals?.map(() => note);",
    ),
};

/** Where the row of each list is declared, the table that it is read from, and a field to add the new one after. */
const ROWS: [list: string, file: string, table: string, after: string][] = [
  ['commissions', 'commissions.ts', 'commissions', 'rejection_reason: z.string().nullable()'],
  ['customers', 'customers/customers.ts', 'customers', 'email_masked: z.string().nullable(),'],
  ['partners', 'partners/partners.ts', 'memberships', 'recruiter_id: z.int().nullable()'],
  ['links', 'partners/links.ts', 'links', 'label: z.string().nullable(),'],
  ['payouts', 'payouts/payouts.ts', 'payouts', 'reference: z.string().nullable(),'],
];

/** A copy of the repository after the walk, without one of its steps. It is removed after the tests. */
function walked(leftOut?: string): string {
  const copy = copySources();
  copies.push(copy);
  for (const [file, change] of Object.entries(STEPS)) if (file !== leftOut) change(join(copy, file));
  return copy;
}

const copies: string[] = [];
afterAll(() => {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
});

/** A copy after the walk, in which the rows of other lists have a new field too. Reading it takes long, so tests share it. */
let whole: string;
beforeAll(() => {
  whole = walked();
  const columns = ROWS.map(([, , table]) => `alter table ${table} add column walk_note text default 'shown';`);
  writeFileSync(join(whole, 'packages/server/src/db/migrations/9998-walk.sql'), columns.join('\n'));
  for (const [, file, , after] of ROWS) {
    addLine(join(whole, 'packages/contract/src/manage', file), after, 'walk_note: z.string().nullable(),');
  }
});

type Parts = [typeof Services, typeof Accounts, typeof Paid];
const known = new Map<string, Promise<Parts>>();

/** The test kit of the copy, with all that it imports. */
function partsOf(copy: string): Promise<Parts> {
  const names = ['service.ts', 'accounts.ts', 'payments/paid.ts'].map((name) => `packages/testkit/service/${name}`);
  const parts = known.get(copy) ?? (importFrom(copy, names) as Promise<Parts>);
  known.set(copy, parts);
  return parts;
}

/** A service that runs the sources of the copy. */
async function serve(copy: string) {
  const [{ TestService }, { ownedProgram, manage }, { approvedSale, paidOut }] = await partsOf(copy);
  const service = new TestService();
  await service.open({ DATABASE_URL: await newPostgres() });
  onTestFinished(() => service.service.close());
  const made = await ownedProgram(service);
  const get = (rest: string) => service.call('GET', manage(made, rest), { key: made.owner.token });
  return { service, made, get, approvedSale, paidOut };
}

/** Sends the field with a sale, and returns what the list and the file say about it. */
async function sendAndRead(copy: string) {
  const { service, made, get } = await serve(copy);
  await service.customer(made, 'buyer');
  const sale = { transaction_id: 'walk-1', amount_cents: 4900, customer_key: 'buyer', order_note: 'a gift' };
  const { status } = await service.sale(sale, { key: made.apiKey });
  const { data } = (await get('/sales')).body;
  const [titles = '', cells = ''] = (await get('/export/sales.csv')).text.split('\r\n');
  return { status, listed: data?.[0]?.order_note, exported: cells.split(',')[titles.split(',').indexOf('order_note')] };
}

const SHOWN = { status: 200, listed: 'a gift', exported: 'a gift' };

/** The fields of a sale that the pages of the copy do not show. */
async function notShown(copy: string): Promise<string[]> {
  const [shown] = await importFrom(copy, ['packages/dashboard/test/shown-fields.ts']);
  const { LISTS, fieldsNotShown } = shown as { LISTS: [noun: string][]; fieldsNotShown: (list: unknown) => string[] };
  return fieldsNotShown(LISTS.find(([noun]) => noun === 'sale'));
}

describe('the walk of CONTRIBUTING.md for an optional field on a sale', () => {
  it('names the files that are changed here', () => {
    const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
    const [, walk = ''] = text.split('### An optional field on a sale');
    const [table = ''] = walk.split('\n### ');
    expect([...table.matchAll(/^\| `(\S+)` /gm)].map(([, file]) => file)).toEqual(Object.keys(STEPS));
  });

  it('shows the value in the list, in its file and on the page', READING, async () => {
    expect(await sendAndRead(whole)).toEqual(SHOWN);
    expect(await notShown(whole)).toEqual([]);
  });

  it.each(isLong ? (['server', 'dashboard'] as const) : [])('compiles in the %s', READING, (name) => {
    expect(filesWithErrors(walked(), name)).toEqual([]);
  });

  /** What notices that a step was left out. */
  const NOTICED: Record<string, (copy: string) => Promise<void>> = {
    'packages/contract/src/track/sale.ts': async (copy) => expect((await sendAndRead(copy)).listed).toBeNull(),
    'packages/server/src/db/migrations/NNNN-….sql': async (copy) => expect((await sendAndRead(copy)).status).toBe(500),
    'packages/contract/src/manage/sales.ts': async (copy) =>
      expect(filesWithErrors(copy, 'dashboard')).toContain('packages/dashboard/src/features/sales/sale-columns.tsx'),
    'packages/dashboard/src/features/sales/sale-columns.tsx': async (copy) =>
      expect(await notShown(copy)).toEqual(['order_note']),
  };

  const leftOut = Object.keys(STEPS).filter((file) => isLong || file.startsWith('packages/dashboard/'));
  it.each(leftOut)('fails without %s', READING, async (file) => {
    await NOTICED[file]?.(walked(file));
  });
});

it('a column and a field in the row of the contract are all that a list and its file need', READING, async () => {
  const { service, made, get, approvedSale, paidOut } = await serve(whole);
  await approvedSale(service, made);
  await paidOut(service, made);
  for (const [list] of ROWS) {
    expect([list, (await get(`/${list}`)).body.data[0].walk_note]).toEqual([list, 'shown']);
  }
  for (const list of ['commissions', 'customers', 'payouts']) {
    expect((await get(`/export/${list}.csv`)).text).toMatch(/^\uFEFF\S*,walk_note,[\s\S]*,shown,/);
  }
});
