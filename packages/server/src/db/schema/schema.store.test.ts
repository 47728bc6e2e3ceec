import { readFile } from 'node:fs/promises';
import { openNewDb, useDb } from '@svc/testkit/service/stores/open-db.ts';
import { beforeAll, expect, it } from 'vitest';
import { readOwners } from '../../../../../scripts/owners.mjs';
import { LEDGER, WRITTEN } from '../../privacy/erase-traces.ts';
import { columnsTreated, ERASURE, TREATMENTS, type Treatment } from './erasure.ts';
import { formatPage, formatSql, schemaProblems } from './format-schema.ts';
import { readSchema, type Schema } from './read-schema.ts';

const store = useDb(openNewDb);
const file = (path: string) => readFile(new URL(`../../../../../${path}`, import.meta.url), 'utf8');
const owners = readOwners(await file('ARCHITECTURE.md'));
const HOW = 'The schema has changed: run `npm run schema` and commit what it writes';

let schema: Schema;
beforeAll(async () => {
  schema = await readSchema(store.current);
});

it('schema.sql and docs/schema.md show the schema as it is', async () => {
  expect(await file('packages/server/schema.sql'), HOW).toBe(formatSql(schema));
  expect(await file('docs/schema.md'), HOW).toBe(formatPage(schema, owners));
});

it('every table has a sentence and an owner, and every text column an entry in the list of erasures', () => {
  expect(schemaProblems(schema, owners)).toEqual([]);
});

it('a table and a text column that nobody described are named', () => {
  const column = (name: string, type: string) => ({ name, type, isNullable: true, definition: type });
  const added: Schema['tables'][number] = {
    name: 'parrots',
    partition: null,
    columns: [column('id', 'bigint'), column('words', 'text[]'), column('cage', 'jsonb')],
    constraints: [],
    indexes: [],
    triggers: [],
  };
  expect(schemaProblems({ ...schema, tables: [...schema.tables, added] }, owners)).toEqual([
    'The table parrots needs a sentence in db/schema/table-purposes.ts',
    'The table parrots needs an owner in the table of ARCHITECTURE.md',
    'db/schema/erasure.ts has to say what erasure does to parrots.words',
    'db/schema/erasure.ts has to say what erasure does to parrots.cage',
  ]);
  const gone = schema.tables.filter(({ name }) => name !== 'chain_runs');
  expect(schemaProblems({ ...schema, tables: gone }, owners)).toEqual([
    'db/schema/table-purposes.ts describes chain_runs, which is no table',
    'ARCHITECTURE.md names chain_runs, which is no table',
  ]);
});

it('lists each text column once', () => {
  for (const table of Object.keys(ERASURE)) {
    const columns = (Object.keys(TREATMENTS) as Treatment[]).flatMap((treatment) => columnsTreated(table, treatment));
    expect([table, columns]).toEqual([table, [...new Set(columns)]]);
  }
});

it('searches every table with texts to redact or replace, in rows that are known', () => {
  const searched = [...LEDGER, ...WRITTEN];
  const listed = Object.keys(ERASURE).filter((table) => ERASURE[table]?.rows);
  expect(searched.toSorted()).toEqual(listed.toSorted());
  const redacted = Object.keys(ERASURE).filter((table) => columnsTreated(table, 'redacted').length > 0);
  expect(redacted.filter((table) => !listed.includes(table))).toEqual([]);
});
