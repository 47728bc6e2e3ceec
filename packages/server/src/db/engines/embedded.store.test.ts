import { eventually } from '@svc/testkit/service/eventually.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../db.ts';
import { openEmbedded } from './embedded.ts';
import { vacuumStore } from './vacuum.ts';

const ENDLESS = 'select count(*) from generate_series(1, 1000000000000)';
const WITHIN_MS = 30_000;

const isElsewhere = process.env.SVC_TEST_STORE === 'postgres';
if (isElsewhere) console.info('Skipped: a Postgres server is not run by this process.');

describe.skipIf(isElsewhere)('an engine that no longer answers', () => {
  const states: (string | null)[] = [];
  let db: Db;
  beforeAll(async () => {
    db = await openEmbedded('memory://', {
      limits: { answerMs: 1_000, stuckMs: 1_500 },
      onTrouble: (trouble) => states.push(trouble?.message ?? null),
    });
  });
  afterAll(() => db?.close());

  it('is replaced; its statement fails, its transaction is over, and listeners hear that they missed something', async () => {
    const heard: string[] = [];
    await db.listen(
      'test_channel',
      (payload) => heard.push(payload),
      () => heard.push('gap'),
    );
    let mayGoOn = () => {};
    const replaced = new Promise<void>((resolve) => {
      mayGoOn = resolve;
    });
    const transaction = db.transaction(async (tx) => {
      await expect(tx.query(ENDLESS)).rejects.toThrow(/has not answered/);
      await replaced;
      // On the new engine, this would be a transaction of its own.
      await tx.query('create table leaked (id int)');
    });
    const refused = db.query('select 1').catch((error: Error) => error.message);
    await eventually(
      () => states.at(-1),
      (state) => state === null,
      WITHIN_MS,
    );
    mayGoOn();
    await expect(transaction).rejects.toThrow();
    expect(await refused).toMatch(/busy/);
    expect(await db.query(`select to_regclass('leaked')::text as found`, [])).toEqual([{ found: null }]);
    expect(states.slice(-2)).toEqual([expect.stringMatching(/stopped/), null]);
    expect(db.trouble()).toBeNull();
    await db.query(`notify test_channel, 'again'`);
    await eventually(
      () => heard,
      ({ length }) => length === 2,
    );
    expect(heard).toEqual(['gap', 'again']);
  });
});

describe.skipIf(isElsewhere)('an engine that has planned more statements than it keeps', () => {
  let db: Db;
  beforeAll(async () => {
    db = await openEmbedded('memory://');
  });
  afterAll(() => db?.close());

  it('takes and returns the same values as before', async () => {
    const beforeChrist = new Date('-000001-08-05T00:00:00Z');
    const ask = (what: string) =>
      db.query(
        `select extract(year from $1::timestamptz at time zone 'UTC')::int as year, $2::bigint as id -- ${what}`,
        [beforeChrist, 7],
      );
    const first = await ask('first');
    expect(first).toEqual([{ year: -2, id: 7 }]);
    for (let number = 0; number < 1_000; number += 1) await db.query(`select ${number}`, []);
    expect(await ask('last')).toEqual(first);
    expect(await ask('first')).toEqual(first);
  });
});

describe.skipIf(isElsewhere)('an engine that was vacuumed', () => {
  let db: Db;
  beforeAll(async () => {
    db = await openEmbedded('memory://', { template: null });
    await db.query('create table filled (id bigint)');
    await db.query('insert into filled select generate_series(1, 100)');
    await db.query('create table orders (id bigint primary key, place bigint)');
    await db.query('create index orders_by_place on orders (place, id)');
    await vacuumStore(db);
  });
  afterAll(() => db.close());

  it('knows how many rows there are where there are some, and does not count on empty tables to stay empty', async () => {
    const known = await db.query(
      `select relname as name, reltuples as rows from pg_class where relname in ('filled', 'orders') order by 1`,
    );
    expect(known).toEqual([
      { name: 'filled', rows: 100 },
      { name: 'orders', rows: -1 },
    ]);
    const plan = await db.query<{ 'QUERY PLAN': string }>('explain select place from orders where id = 1');
    expect(plan.map((line) => line['QUERY PLAN']).join()).toContain('orders_pkey');
  });
});
