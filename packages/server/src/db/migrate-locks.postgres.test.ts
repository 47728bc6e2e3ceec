import { eventually } from '@svc/testkit/service/eventually.ts';
import { MIGRATIONS, migrationText, openStoreBefore } from '@svc/testkit/service/stores/earlier-store.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from './db.ts';
import { declaredLocks, migrate, type TableLock } from './migrate.ts';

/**
 * The order in which requests lock tables. A sale claims its id, then writes the sale, its commission, the customer; a refund
 * locks the sale, then the commission, and writes the refund; a lead updates the customer and writes a decision. Foreign keys
 * come after the rows that refer to them. Tables that are not in the list are rarely written, and come last.
 */
const WRITERS_ORDER = [
  'transactions',
  'sales',
  'commissions',
  'refunds',
  'customers',
  'decisions',
  'clicks',
  'programs',
  'partners',
  'memberships',
  'links',
];

/** The locks that make requests wait, from the weakest to the strongest. */
const MODES = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'];
const strengthOf = (mode: string) =>
  MODES.findIndex((each) => each.toLowerCase() === `${mode.replaceAll(' ', '').toLowerCase()}lock`);

describe('a migration declares its locks', () => {
  /** By migration, the tables that existed before it and that it locked, each in the strongest mode. */
  const taken = new Map<string, TableLock[]>();

  beforeAll(async () => {
    const { db } = await openStoreBefore('0004');
    for (const name of MIGRATIONS.filter((each) => each >= '0004')) {
      const text = await migrationText(name);
      const existing = await db.query<{ oid: number }>(
        `select oid::bigint from pg_class where relkind in ('r', 'p')`,
        [],
      );
      const locks = await db.transaction(async (tx) => {
        await tx.query(text);
        return tx.query<TableLock>(
          `select c.relname as table, (array_agg(l.mode order by array_position($1::text[], l.mode) desc))[1] as mode
           from pg_locks l join pg_class c on c.oid = l.relation
           where l.pid = pg_backend_pid() and l.mode = any ($1::text[]) and c.oid = any ($2::bigint[])
             and c.relnamespace = 'public'::regnamespace
           group by 1`,
          [MODES, existing.map(({ oid }) => oid)],
        );
      });
      taken.set(name, locks);
    }
    await db.close();
  });

  it.each(MIGRATIONS.filter((name) => name >= '0004'))('%s', async (name) => {
    const declared = declaredLocks(await migrationText(name));
    const weak = (taken.get(name) ?? []).filter(
      ({ table, mode }) =>
        !declared.some((lock) => lock.table === table && strengthOf(lock.mode) >= MODES.indexOf(mode)),
    );
    expect(weak, 'add them to the `lock table` statements at the start of the migration').toEqual([]);

    const places = declared.map(({ table }) => (WRITERS_ORDER.indexOf(table) + 1 || WRITERS_ORDER.length + 1) - 1);
    expect(places, 'lock the tables in the order of the writers').toEqual(places.toSorted((one, other) => one - other));
  });
});

describe('a migration beside a writer', () => {
  let db: Db;
  let writer: pg.Client;
  const [last] = MIGRATIONS.slice(-1) as [string];

  beforeAll(async () => {
    let url: string;
    ({ db, url } = await openStoreBefore('0016'));
    // The migration then notices a deadlock before its own time limit ends.
    await db.query(
      `do $$ begin execute format('alter database %I set deadlock_timeout = ''500ms''', current_database()); end $$`,
    );
    writer = new pg.Client({ connectionString: url });
    await writer.connect();
    await writer.query(`set deadlock_timeout = '60s'`);
  });
  afterAll(async () => {
    await writer.end();
    await db.close();
  });

  const waiting = () =>
    writer
      .query(`select 1 from pg_locks where not granted and relation = 'refunds'::regclass`)
      .then(({ rowCount }) => rowCount);

  it('gives up after a number of attempts, with a sentence that says what to do', async () => {
    await writer.query('begin');
    await writer.query('lock table refunds in row exclusive mode');
    await expect(migrate(db, undefined, 2)).rejects.toThrow(
      'The migration 0016-rows-of-earlier-releases.sql could not lock the tables sales, commissions, refunds, programs in 2 ' +
        'attempts, because other connections hold them for long (pg_stat_activity shows which). It changed nothing. Start ' +
        'again once they are done',
    );
    await writer.query('commit');
  });

  it('gives way, is retried, and makes nobody the victim of a deadlock', async () => {
    const warnings: object[] = [];
    const log = { info: () => undefined, warn: (fields: object) => void warnings.push(fields) };
    await writer.query('begin');
    await writer.query('lock table refunds in row exclusive mode');
    const migrating = migrate(db, log);
    await eventually(waiting, (count) => (count ?? 0) > 0);
    // The migration has locked this table and waits for the other one.
    await writer.query('lock table sales in row exclusive mode');
    await eventually(
      async () => warnings.length,
      (count) => count > 0,
    );
    await writer.query('commit');
    expect((await migrating).at(-1)).toBe(last);
    expect(warnings[0]).toMatchObject({ migration: '0016-rows-of-earlier-releases.sql', attempt: 1 });
    expect(await migrate(db)).toEqual([]);
  });

  it('waits for a node that is migrating, and applies nothing twice', async () => {
    const lines: string[] = [];
    const log = { info: (_fields: object, line: string) => void lines.push(line), warn: () => undefined };
    await writer.query('begin');
    await writer.query('select pg_advisory_xact_lock(7283001)');
    const migrating = migrate(db, log);
    await eventually(
      async () => lines,
      (all) => all.length > 0,
    );
    await writer.query('commit');
    expect(await migrating).toEqual([]);
    expect(lines).toEqual(['Another node is migrating the schema; waiting for it']);
  });
});
