import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { overdueShims } from './shims.ts';

const file = (path: string) => readFile(new URL(`../../../../../${path}`, import.meta.url), 'utf8');

it('no function of the database has outlived the release that needed it', async () => {
  const { version } = JSON.parse(await file('package.json'));
  const overdue = overdueShims(await file('packages/server/schema.sql'), version);
  expect(overdue, 'a migration has to drop these functions and their triggers').toEqual([]);
});

describe('overdueShims', () => {
  const SQL = `create function keep() returns trigger language plpgsql as $$
begin
  return null;
end $$;

create function shim() returns trigger language plpgsql as $$
begin
  -- until: 0.10.0
  return null;
end $$;
`;

  it.each([
    ['0.2.0', []],
    ['0.9.9', []],
    ['0.10.0', ['shim, until 0.10.0']],
    ['0.10.1', ['shim, until 0.10.0']],
    ['1.0.0', ['shim, until 0.10.0']],
  ])('in %s they are %j', (version, overdue) => expect(overdueShims(SQL, version)).toEqual(overdue));
});
