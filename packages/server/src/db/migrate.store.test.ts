import { readdir } from 'node:fs/promises';
import { openEmptyDb, openNewDb, useDb } from '@svc/testkit/service/stores/open-db.ts';
import { describe, expect, it } from 'vitest';
import type { Db } from './db.ts';
import { migrate } from './migrate.ts';
import { listTables, quoted } from './schema/tables.ts';

const fromNothing = useDb(openEmptyDb);
const copy = useDb(openNewDb);

const MIGRATIONS = (await readdir(new URL('./migrations/', import.meta.url))).sort();

const applied = async (db: Db) =>
  (await db.query<{ name: string }>('select name from schema_migrations order by name', [])).map(({ name }) => name);

/** Everything that migrations define, as Postgres itself describes it. */
async function schemaOf(db: Db): Promise<Record<string, unknown[]>> {
  const parts = {
    columns: `select c.relname, c.relkind, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull,
        a.attidentity, a.attgenerated, pg_get_expr(d.adbin, d.adrelid) as value
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relnamespace = 'public'::regnamespace and a.attnum > 0`,
    options: `select relname, reloptions from pg_class where relnamespace = 'public'::regnamespace`,
    constraints: `select conname, pg_get_constraintdef(oid) as does from pg_constraint
      where connamespace = 'public'::regnamespace`,
    indexes: `select indexname, indexdef from pg_indexes where schemaname = 'public'`,
    triggers: `select tgname, pg_get_triggerdef(t.oid) as does from pg_trigger t join pg_class c on c.oid = tgrelid
      where relnamespace = 'public'::regnamespace and not tgisinternal`,
    functions: `select proname, pg_get_functiondef(oid) as does from pg_proc
      where pronamespace = 'public'::regnamespace and prokind <> 'a'`,
    sequences: `select * from pg_sequences where schemaname = 'public'`,
  };
  const found: Record<string, unknown[]> = {};
  for (const [name, sql] of Object.entries(parts)) {
    const rows = await db.query<{ row: string }>(`select to_jsonb(t)::text as row from (${sql}) t order by 1`, []);
    found[name] = rows.map(({ row }) => JSON.parse(row));
  }
  return found;
}

describe('migrate', () => {
  it('applies every migration to a store without a schema, each once', async () => {
    expect(await migrate(fromNothing.current)).toEqual(MIGRATIONS);
    expect(await migrate(fromNothing.current)).toEqual([]);
    expect(await applied(fromNothing.current)).toEqual(MIGRATIONS);
  });

  it('finds nothing to do in a new store: it starts with the schema', async () => {
    expect(await applied(copy.current)).toEqual(MIGRATIONS);
    expect(await migrate(copy.current)).toEqual([]);
  });

  it('builds from nothing the same schema that a new store starts with, both without data', async () => {
    await migrate(fromNothing.current);
    const schema = await schemaOf(copy.current);
    expect(schema).toEqual(await schemaOf(fromNothing.current));
    expect(schema.columns?.length).toBeGreaterThan(100);
    for (const table of await listTables(copy.current)) {
      expect([table, await copy.current.query(`select * from ${quoted(table)} limit 1`, [])]).toEqual([table, []]);
    }
  });
});

describe('a schema that a later release has changed', () => {
  const later = useDb(openNewDb);
  const note = (release: string | null) =>
    later.current.query(
      `insert into schema_migrations (name, applied_at, release) values ('9999-later.sql', now(), $1)
      on conflict (name) do update set release = excluded.release`,
      [release],
    );

  it('is refused if the release is too far ahead, and named in the log otherwise', async () => {
    await note('99.1.0');
    await expect(migrate(later.current)).rejects.toThrow(
      /^Release 99\.1\.0 has changed the schema, and this is release .+, which is too old for it\. Start release 99\.1\.0 or/,
    );
    await note(null);
    const warned: object[] = [];
    const log = { info: () => undefined, warn: (details: object) => void warned.push(details) };
    expect(await migrate(later.current, log)).toEqual([]);
    expect(warned).toEqual([{ migrations: ['9999-later.sql'] }]);
  });
});
