import { describe, expect, it } from 'vitest';
import { checkSources } from './check-sources.mjs';
import { writeFixture } from './fixture.ts';

const SERVER = 'packages/server/src';

/** What the check says about these files. */
function check(files: Record<string, string>): string[] {
  return checkSources(writeFixture(files), Object.keys(files));
}

const store = (sql: string) => `export const run = (db: Db) => db.query(\`${sql}\`, []);\n`;

describe('a table', () => {
  it.each([
    ['insert into', 'insert into commissions (id) values ($1)'],
    ['update', 'update commissions c set stage = 1 where c.id = $1'],
    ['delete from', 'delete from commissions where id = $1'],
    ['a part of a statement', 'with gone as (delete from commissions returning id) select id from gone'],
    ['a statement with a part that is put in', `insert into commissions (\${columns}) select 1`],
  ])('that two folders write fails, with both folders: %s', (_how, sql) => {
    const [problem, ...others] = check({
      [`${SERVER}/commissions/commission-store.ts`]: store('insert into commissions (id) values ($1)'),
      [`${SERVER}/payouts/payout-store.ts`]: store(sql),
    });
    expect(problem).toContain('The table commissions is written by');
    expect(problem).toContain('commissions/ (packages/server/src/commissions/commission-store.ts)');
    expect(problem).toContain('payouts/ (packages/server/src/payouts/payout-store.ts)');
    expect(others).toEqual([]);
  });

  it('that one folder writes and another reads passes, whatever comments and messages say', () => {
    expect(
      check({
        [`${SERVER}/commissions/commission-store.ts`]: store('insert into commissions (id) values ($1)'),
        [`${SERVER}/commissions/list-store.ts`]: store('update commissions set stage = 1'),
        [`${SERVER}/payouts/payout-store.ts`]:
          '// They would delete from commissions.\n' +
          store('select * from commissions where id = $1 for update') +
          store('insert into payouts (id) values (1) on conflict (id) do update set paid_at = now()'),
        [`${SERVER}/payouts/payout.store.test.ts`]: store('delete from commissions'),
      }),
    ).toEqual([]);
  });

  it('whose name is put into the statement fails, except in db/', () => {
    const text = store(`delete from \${table}`);
    expect(check({ [`${SERVER}/rollups/rollup-store.ts`]: text })).toEqual([
      `${SERVER}/rollups/rollup-store.ts: writes a table whose name is not in the statement`,
    ]);
    expect(check({ [`${SERVER}/db/backup.ts`]: text })).toEqual([]);
  });
});

describe('a function of the database', () => {
  const OWNERS = '| `refunds/` | refunds | `refunds` | `note_refund` |\n| `audit/` | the log | `audit_events` | |\n';
  const TABLE = `${OWNERS}\n| \`note_refund\` | Every refund has a note. |\n`;
  const FUNCTION = `create function note_refund() returns trigger language plpgsql as $$
begin
  -- Never: delete from sales
  update refunds set note = '^\\d$' where id = new.id;
  return null;
end $$;
`;
  const checkFunction = (sql: string, architecture = TABLE) => {
    const files = {
      'ARCHITECTURE.md': architecture,
      'packages/server/schema.sql': `create table refunds (id bigint);\n${sql}`,
    };
    return check(files);
  };

  it('that its folder lists and that writes only tables of that folder passes, in a file of any length', () => {
    expect(checkFunction(`${FUNCTION}${'\n'.repeat(300)}`)).toEqual([]);
  });

  it('that no folder lists, or that is gone, fails', () => {
    expect(checkFunction(FUNCTION.replace('note_refund', 'guess'))).toEqual([
      'ARCHITECTURE.md: names the function note_refund, which packages/server/schema.sql does not have',
      'packages/server/schema.sql: ARCHITECTURE.md has to say what the trigger guess keeps true',
      'ARCHITECTURE.md: says what note_refund keeps true, which is no lasting trigger of packages/server/schema.sql',
      'packages/server/schema.sql: the function guess needs an owner in the table of ARCHITECTURE.md',
    ]);
  });

  it('of a trigger needs a sentence about what it keeps true, unless it ends with a release', () => {
    expect(checkFunction(FUNCTION, OWNERS)).toEqual([
      'packages/server/schema.sql: ARCHITECTURE.md has to say what the trigger note_refund keeps true',
    ]);
    expect(checkFunction(FUNCTION.replace('-- Never', '-- until: 0.4.0, never'), OWNERS)).toEqual([]);
    expect(checkFunction(FUNCTION.replace('returns trigger', 'returns void'), OWNERS)).toEqual([]);
  });

  it('that writes a table of another folder fails', () => {
    expect(checkFunction(FUNCTION.replace('return null', 'insert into audit_events values (1)'))).toEqual([
      'packages/server/schema.sql: the function note_refund of refunds/ writes audit_events, which another folder owns',
    ]);
  });
});

describe('SQL', () => {
  it.each([
    ['a query', 'export const one = (db: Db) => db.query(statement, []);\n'],
    ['a statement', 'export const LIST = `select id from sales where id = $1`;\n'],
    ['a statement in parts', `export const LIST = \`with found as (select \${columns} from sales) select 1\`;\n`],
  ])('outside stores and db/ fails: %s', (_what, text) => {
    expect(check({ [`${SERVER}/http/manage/sales.ts`]: text })).toEqual([
      `${SERVER}/http/manage/sales.ts: holds SQL; only stores and db/ do`,
    ]);
    expect(check({ [`${SERVER}/sales/sale-store.ts`]: text, [`${SERVER}/db/ping.ts`]: text })).toEqual([]);
  });

  it('is not seen in sentences', () => {
    const text = `export const hint = 'Select a program from the list, or update it.';\n`;
    expect(check({ [`${SERVER}/http/hint.ts`]: text })).toEqual([]);
  });
});

describe('a rule', () => {
  it.each([
    ['await', 'const rate = await load();\nexport { rate };\n'],
    ['async', 'export const load = async () => 1;\n'],
    ['a promise', 'export type Load = () => Promise<number>;\n'],
  ])('that waits fails: %s', (_how, text) => {
    const [problem, ...others] = check({ [`${SERVER}/commissions/commission.ts`]: text });
    expect(problem).toContain('commissions/commission.ts: waits, but is named like a rule');
    expect(others).toEqual([]);
  });

  it('is not a verb, a store, a part with state, or a file at the edge: those may wait', () => {
    const text = 'export const load = async () => 1;\n';
    const names = [
      'sales/record-sale.ts',
      'sales/sale-store.ts',
      'payments/event-worker.ts',
      'http/sale.ts',
      'serve.ts',
    ];
    expect(check(Object.fromEntries(names.map((name) => [`${SERVER}/${name}`, text])))).toEqual([]);
  });

  it('may write about waiting', () => {
    expect(check({ [`${SERVER}/sales/sale.ts`]: "// Callers await it.\nexport const why = 'async';\n" })).toEqual([]);
  });
});

describe('process.env', () => {
  it('fails outside config.ts and main.ts', () => {
    const text = 'export const port = process.env.PORT;\n';
    const [mainFile, configFile, other] = ['main.ts', 'config.ts', 'http/server.ts'].map((name) => `${SERVER}/${name}`);
    expect(check({ [mainFile!]: text, [configFile!]: text, [other!]: text })).toEqual([
      `${other}: reads process.env; only config.ts and main.ts do`,
    ]);
  });
});

describe('a connection', () => {
  it.each([
    ['fetch', 'export const load = (url: string) => fetch(url);\n'],
    ['the fetch of the global object', 'export const load = (url: string) => globalThis.fetch(url);\n'],
    ['undici', "import { request } from 'undici';\nexport { request };\n"],
    ['http', "import { request } from 'node:http';\nexport { request };\n"],
    ['https as a whole', "import https from 'node:https';\nexport { https };\n"],
    ['a renamed import', "import { createServer, connect as open } from 'net';\nexport { createServer, open };\n"],
    ['a web socket', 'export const open = (url: string) => new WebSocket(url);\n'],
  ])('is opened in outbound/ only: %s', (_how, text) => {
    const [inside, outside] = [`${SERVER}/outbound/call-out.ts`, `${SERVER}/webhooks/call-endpoint.ts`];
    expect(check({ [inside]: text, [outside]: text })).toEqual([
      `${outside}: opens connections; call addresses through outbound/, or say in CONNECTS which other one it is`,
    ]);
  });

  it('is none where types, servers and addresses are read', () => {
    const text = `import type { Dispatcher } from 'undici';
import { createServer, type IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
export { createServer, isIP, type Dispatcher, type IncomingMessage, type Socket };
`;
    expect(check({ [`${SERVER}/http/metrics.ts`]: text })).toEqual([]);
  });
});

it.each(['utils.ts', 'helper.mjs', 'common.tsx', 'types.ts'])('a file named %s fails', (name) => {
  expect(check({ [`packages/cli/src/${name}`]: '' })).toEqual([
    `packages/cli/src/${name}: needs a name that says what is in it`,
  ]);
});
