import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { COMMISSIONS, CUSTOMERS, CUSTOMERS_WHO_BUY, SALES } from './delta-store.ts';

const SERVER = fileURLToPath(new URL('../', import.meta.url));

/** The tables whose rows count: what a statement has to pass to `countAdded`, `countChanged` or `countRemoved`, and the columns. */
const COUNTED = {
  customers: { name: 'CUSTOMERS', columns: CUSTOMERS.columns.split(', ') },
  sales: { name: 'SALES', columns: SALES.columns.split(', ') },
  commissions: { name: 'COMMISSIONS', columns: COMMISSIONS.columns.split(', ') },
} as const;

/** Statements that write columns that count and still change no count. */
const CHANGES_NO_COUNT: Record<string, string> = {
  INSERT_CLICKED_CUSTOMERS: 'who only clicked has neither signed up nor bought',
  INSERT_ASSIGNED: 'the sale with the coupon, which follows in the transaction, says when they first bought',
  insertImportedCustomers: 'who is imported has neither signed up nor bought here',
  deleteImportedCustomers: 'only who has neither signed up nor bought since is removed',
  deleteIdleVisitors: 'only who has neither signed up nor bought is removed',
  updateHoldEnded: 'from pending to approved: both count',
  COVERED_TO_PAID: 'from approved to paid: both count',
  updateUncovered: 'from paid to approved: both count',
};

type Statement = { sql: string; owner: string };

/** The strings of a file with the code of their placeholders, each with the function or constant that it is in. */
function stringsOf(path: string, text: string): Statement[] {
  const found: Statement[] = [];
  const visit = (node: ts.Node, owner: string): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) found.push({ sql: node.text, owner });
    if (ts.isTemplateExpression(node)) found.push({ sql: node.getText(), owner });
    const isNamed = ts.isFunctionDeclaration(node) || (ts.isVariableDeclaration(node) && owner === '');
    ts.forEachChild(node, (child) => visit(child, isNamed ? (node.name?.getText() ?? '') : owner));
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true), '');
  return found;
}

const WRITE = /\b(insert into|delete from|update) (customers|sales|commissions)\b(?! for)/g;

/** The columns that an update sets: what is in parentheses is only read. */
function columnsSet(update: string): string[] {
  let flat = update;
  for (let before = ''; before !== flat; ) {
    before = flat;
    flat = flat.replaceAll(/\([^()]*\)/g, '');
  }
  const [, set = ''] = /\bset\b([\s\S]*?)(?:\b(?:from|where|returning)\b|$)/.exec(flat) ?? [];
  return [...set.matchAll(/\b(\w+) =/g)].map(([, column = '']) => column);
}

/** Whether a statement counts who buys, and changes nothing else of customers that counts. */
function isCountedPurchase(sql: string, verb: string | undefined, set: string[]): boolean {
  const isOnlyPurchase = verb === 'update' && set.every((column) => column === 'converted_at');
  return (
    isOnlyPurchase &&
    CUSTOMERS_WHO_BUY.columns.includes('converted_at') &&
    /countChanged\(\s*CUSTOMERS_WHO_BUY\b/.test(sql)
  );
}

/** What a statement writes without counting it. */
function uncounted({ sql, owner }: Statement): string[] {
  return [...sql.matchAll(WRITE)].flatMap(([, verb, table], index, all) => {
    const { name, columns } = COUNTED[table as keyof typeof COUNTED];
    const own = sql.slice(all[index]!.index, all[index + 1]?.index);
    const isCounted = new RegExp(`count(Added|Changed|Removed)\\(\\s*${name}\\b`).test(sql);
    const set = columnsSet(own).filter((column) => columns.includes(column));
    const mayCount = verb !== 'update' || set.length > 0;
    return isCounted || isCountedPurchase(sql, verb, set) || !mayCount || owner in CHANGES_NO_COUNT
      ? []
      : [`${owner}: ${verb} ${table}`];
  });
}

const stores = readdirSync(SERVER, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('-store.ts'))
  .map((path) => ({ path, statements: stringsOf(path, readFileSync(SERVER + path, 'utf8')) }));

it('every statement that changes what counts appends it to the counts', () => {
  const found = stores.flatMap(({ path, statements }) => statements.flatMap(uncounted).map((one) => `${path} ${one}`));
  expect(found, 'end the statement with countAdded, countChanged or countRemoved').toEqual([]);
});

it('the list of exceptions names statements that there are', () => {
  const owners = new Set(stores.flatMap(({ statements }) => statements.map(({ owner }) => owner)));
  expect(Object.keys(CHANGES_NO_COUNT).filter((owner) => !owners.has(owner))).toEqual([]);
});

it('no function of the database writes what counts', () => {
  const schema = readFileSync(new URL('../../schema.sql', import.meta.url), 'utf8');
  const functions = [...schema.matchAll(/^create function (\w+)\([^$]*\$\$([\s\S]*?)\$\$;$/gm)];
  expect(functions.length).toBeGreaterThan(0);
  expect(functions.filter(([, , body = '']) => body.match(WRITE)).map(([, name]) => name)).toEqual([]);
});

describe('a statement', () => {
  const check = (sql: string) => stringsOf('a-store.ts', `const WRITE = \`${sql}\`;`).flatMap(uncounted);

  it.each([
    ['insert into sales (id) values (1)', 'WRITE: insert into sales'],
    ['delete from commissions c where c.id = 1', 'WRITE: delete from commissions'],
    ['with a as (delete from sales returning *) select 1', 'WRITE: delete from sales'],
    ['update sales s set note = 1, partner_id = 2 where s.id = 1', 'WRITE: update sales'],
    [`update sales set partner_id = 2 where id = 1 \${countChanged(CUSTOMERS)}`, 'WRITE: update sales'],
    [
      `update customers set converted_at = 1, lead_at = 2 \${countChanged(CUSTOMERS_WHO_BUY)}`,
      'WRITE: update customers',
    ],
    [`update customers set partner_id = 2 \${countChanged(CUSTOMERS_WHO_BUY)}`, 'WRITE: update customers'],
    [`delete from customers returning * \${countChanged(CUSTOMERS_WHO_BUY)}`, 'WRITE: delete from customers'],
    [
      'with a as (update sales set note = 1), b as (update customers set lead_at = 1) select 1',
      'WRITE: update customers',
    ],
  ])('that does not count fails: %s', (sql, problem) => expect(check(sql)).toEqual([problem]));

  it.each([
    `with written as (insert into sales (id) values (1) returning *), \${countAdded(SALES)}`,
    `with before as (delete from sales returning *), \${countRemoved(\n  SALES,\n  'id')}`,
    'update sales set note = (select n from notes where partner_id = 1) where partner_id = 2',
    `update customers set converted_at = 1 where id = 2 \${countChanged(CUSTOMERS_WHO_BUY)}`,
    'select * from sales for update',
    'insert into customers_of_old (id) values (1)',
  ])('that counts, or changes no count, passes: %s', (sql) => expect(check(sql)).toEqual([]));
});
