import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCsvFiles, readMapping } from './csv-source.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-csv-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const MAPPING = `
source: oldtool
partners: { file: partners.csv, id: ID, email: Email, name: [First, Last] }
links: { file: partners.csv, partner: ID, code: Token, parameter: =via }
customers: { file: customers.csv, partner: Affiliate, id: User, processor_id: Stripe, first_seen_at: Since }
commissions: { file: money.csv, partner: Affiliate, id: ID, amount: Amount, currency: Currency, status: State, states: { Due: approved, Paid: paid } }
`;

async function files(contents: Record<string, string>) {
  for (const [name, text] of Object.entries(contents)) await writeFile(join(folder, name), text);
}

const read = async () => readCsvFiles(folder, 'mapping.yaml', await readMapping(folder, 'mapping.yaml'), 'USD');

describe('files with a mapping', () => {
  it('are read by the titles of their columns; a row that cannot be read is named by its line, and the others go on', async () => {
    await files({
      'mapping.yaml': MAPPING,
      'partners.csv':
        '\uFEFFID,Email,First,Last,Token\r\n1,ann@blog.test,Ann,"Lee, Jr.",ann\r\n2,,Bob,B,bob\r\n3,cy@blog.test,Cy,,cy,extra\r\n4,dee@blog.test,Dee,,dee\r\n',
      'customers.csv': 'User,Affiliate,Stripe,Since\nu1,1,cus_1,2024-01-31\ncus_2,ANN@blog.test,,31.01.2024\nu3,,,\n',
      'money.csv':
        'ID,Affiliate,Amount,Currency,State\nm1,1,49.00,USD,Due\nm2,1,12.345,USD,Due\nm3,1,500,JPY,paid\nm4,1,7.00,,Paid\nm5,1,9.00,USD,Void\n',
    });
    const { partners, links, customers, earnings, leftOut } = await read();
    expect(partners).toEqual([
      { id: '1', email: 'ann@blog.test', name: 'Ann Lee, Jr.' },
      { id: '4', email: 'dee@blog.test', name: 'Dee' },
    ]);
    expect(links.map(({ partnerId, code, parameter }) => [partnerId, code, parameter])).toEqual([
      ['1', 'ann', 'via'],
      ['2', 'bob', 'via'],
      ['4', 'dee', 'via'],
    ]);
    expect(customers).toEqual([
      { partnerId: '1', id: 'u1', processorId: 'cus_1', email: undefined, firstSeenAt: '2024-01-31T00:00:00.000Z' },
      { partnerId: '1', id: 'cus_2', processorId: 'cus_2', email: undefined, firstSeenAt: undefined },
      { partnerId: null, id: 'u3', processorId: undefined, email: undefined, firstSeenAt: undefined },
    ]);
    expect(earnings).toEqual([
      { partnerId: '1', id: 'm1', state: 'approved', currency: 'USD', cents: 4900 },
      { partnerId: '1', id: 'm3', state: 'paid', currency: 'JPY', cents: 500 },
      { partnerId: '1', id: 'm4', state: 'paid', currency: 'USD', cents: 700 },
    ]);
    expect(leftOut.map(({ kind, id, reason }) => [kind, id, reason])).toEqual([
      ['row', 'partners.csv:4', expect.stringMatching(/^Invalid Record Length/)],
      ['row', 'partners.csv:3', 'Email is empty'],
      ['commission', 'm2', '"12.345" has more decimals than USD, which has 2'],
      ['commission', 'm5', 'it is Void, which is not money'],
    ]);
  });

  it('a quote that is never closed costs the rest of its file, which is said', async () => {
    await files({
      'mapping.yaml': 'partners: { file: open.csv, email: Email }',
      'open.csv': 'Email\nann@blog.test\n"bob@blog.test\ncy@blog.test\n',
    });
    const { partners, leftOut } = await read();
    expect(partners.map(({ email }) => email)).toEqual(['ann@blog.test']);
    expect(leftOut).toEqual([
      { kind: 'row', id: expect.stringMatching(/^open\.csv:\d$/), reason: expect.stringMatching(/^Quote Not Closed/) },
    ]);
  });

  it.each([
    ['partners: { file: none.csv, email: Email }', 'Cannot read none.csv.'],
    ['partners: { file: p.csv, email: Mail }', 'p.csv has no column "Mail". It has "Email".'],
    ['partners: { file: p.csv }', 'mapping.yaml: partners.email: '],
    ['partners: { file: p.csv, email: Email }\nsurprise: 1', 'mapping.yaml: mapping: Unrecognized key: "surprise"'],
    ['partners: [', 'mapping.yaml is not valid YAML'],
    [
      'partners: { file: p.csv, email: Email }\ncurrency: XXX',
      'mapping.yaml: currency: must be a currency, such as USD',
    ],
    ['a: &a [x]\nb: *a', 'mapping.yaml is not valid YAML'],
  ])('a mapping that does not fit is refused: %s', async (text, message) => {
    await files({ 'mapping.yaml': text, 'p.csv': 'Email\nann@blog.test\n' });
    await expect(read()).rejects.toThrow(message);
  });
});
