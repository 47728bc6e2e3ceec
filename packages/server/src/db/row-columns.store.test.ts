import { openNewDb, useDb } from '@svc/testkit/service/stores/open-db.ts';
import { expect, it } from 'vitest';
import { columnValues, rowsOfColumns } from './row-columns.ts';

const store = useDb(openNewDb);

const COLUMNS = {
  id: 'bigint',
  is_test: 'boolean',
  days: 'integer',
  facts: 'jsonb',
  rate: 'numeric',
  name: 'text',
  at: 'timestamptz',
} as const;

type Row = Partial<Record<keyof typeof COLUMNS, unknown>>;

const read = (rows: Row[]) =>
  store.current.query(
    `select id, is_test, days, facts, rate::text, name, at from (select ${rowsOfColumns(COLUMNS)}) i`,
    columnValues(COLUMNS, rows),
  );

it('rows arrive as they were sent, and in their order', async () => {
  const at = new Date('2026-03-10T11:12:13.456Z');
  const full = {
    id: Number.MAX_SAFE_INTEGER,
    is_test: true,
    days: -1,
    facts: { list: [1, null], text: 'a "b" \\c {d}, e\n' },
    rate: '12.3400',
    name: 'x',
    at,
  };
  const other = { ...full, id: 2, is_test: false, rate: '0.1', at: new Date('2024-02-29T00:00:00Z') };
  const empty = { id: null, is_test: null, days: null, facts: null, rate: null, name: null, at: null };
  expect(await read([full, {}, other, empty, full, full])).toEqual([full, empty, other, empty, full, full]);
  expect(await read([])).toEqual([]);
});

it.each([
  '',
  ' ',
  'NULL',
  'null',
  '"',
  '\\',
  '\\"',
  '{}',
  '{a,b}',
  'a,b',
  "o'clock",
  'line\nbreak\ttab\r',
  '\u0001\u007f',
  'ä é 漢字 🙂',
  '$1',
])('a text arrives as it was sent: %j', async (name) => {
  const facts = { [name]: name };
  expect(await read([{ name }, { name: 'plain', facts }, { name }])).toMatchObject([
    { name, facts: null },
    { name: 'plain', facts },
    { name, facts: null },
  ]);
});

it('an exact number beyond what JavaScript counts to arrives as it was sent', async () => {
  const rows = await store.current.query<{ id: string }>(
    `select id::text from (select ${rowsOfColumns({ id: 'bigint' })}) i`,
    columnValues({ id: 'bigint' }, [{ id: 9_223_372_036_854_775_807n }]),
  );
  expect(rows).toEqual([{ id: '9223372036854775807' }]);
});
