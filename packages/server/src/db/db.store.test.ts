import { eventually } from '@svc/testkit/service/eventually.ts';
import { openNewDb, useDb } from '@svc/testkit/service/stores/open-db.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Db, DbError, isRefusedStatement, isUniqueViolation } from './db.ts';

const db = useDb(openNewDb);

beforeAll(async () => {
  await db.current.query(`
    create table things (
      id bigint generated always as identity primary key,
      name text constraint things_have_one_name unique,
      size int constraint things_are_small check (size < 100)
    );
    create table counter (n int not null);
    insert into counter values (0)`);
});

const names = async (like: string) =>
  (await db.current.query<{ name: string }>('select name from things where name like $1 order by id', [like])).map(
    ({ name }) => name,
  );

describe('query', () => {
  it.each<[string, string, unknown]>([
    ['bigint as a number', '9007199254740991::bigint', 9_007_199_254_740_991],
    ['a count as a number', '(select count(*) from pg_class where false)', 0],
    ['integer as a number', '7::int', 7],
    ['numeric as text, so that nothing is rounded', '12.3400::numeric(16, 4)', '12.3400'],
    ['timestamptz as a Date', `'2026-03-10T12:00:00.123Z'::timestamptz`, new Date('2026-03-10T12:00:00.123Z')],
    ['jsonb as its value', `'{"a": [1, null, {"b": "c"}]}'::jsonb`, { a: [1, null, { b: 'c' }] }],
    ['text[] as an array', `array['a', 'b,"c', '']::text[]`, ['a', 'b,"c', '']],
    ['an empty text[]', `'{}'::text[]`, []],
    ['boolean', 'true', true],
    ['text beyond ASCII', `'Zoë 🙂'`, 'Zoë 🙂'],
    ['null', 'null::text', null],
  ])('returns %s', async (_what, expression, value) => {
    expect(await db.current.query(`select ${expression} as value`, [])).toEqual([{ value }]);
  });

  it.each<[string, string, unknown, unknown]>([
    ['a Date', 'timestamptz', new Date('2026-03-10T12:00:00.123Z'), new Date('2026-03-10T12:00:00.123Z')],
    ['a number', 'bigint', 9_007_199_254_740_991, 9_007_199_254_740_991],
    ['a decimal as text', 'numeric', '0.0001', '0.0001'],
    ['an array', 'text[]', ['a', 'b"c'], ['a', 'b"c']],
    ['JSON text', 'jsonb', '{"a":"\\"quoted\\""}', { a: '"quoted"' }],
    ['a boolean', 'boolean', false, false],
    ['null', 'text', null, null],
    ['text that looks like SQL', 'text', `'; drop table things; --`, `'; drop table things; --`],
  ])('accepts %s as a parameter', async (_what, type, param, value) => {
    expect(await db.current.query(`select $1::${type} as value`, [param])).toEqual([{ value }]);
  });

  it('runs several statements in one text without parameters and returns the rows of the last', async () => {
    const rows = await db.current.query(`
      insert into things (name) values ('several-1');
      insert into things (name) values ('several-2');
      select name from things where name like 'several-%' order by id`);
    expect(rows).toEqual([{ name: 'several-1' }, { name: 'several-2' }]);
  });

  it('stores nothing when one of several statements fails', async () => {
    const failing = db.current.query(`insert into things (name) values ('half-1'); select 1 / 0`);
    await expect(failing).rejects.toMatchObject({ sqlState: '22012' });
    expect(await names('half-%')).toEqual([]);
  });

  it('returns no rows for a statement without a result', async () => {
    expect(await db.current.query('update counter set n = n where false', [])).toEqual([]);
    expect(await db.current.query('update counter set n = n where false')).toEqual([]);
  });

  it('returns each concurrent query its own rows', async () => {
    const numbers = Array.from({ length: 30 }, (_, index) => index);
    const answers = await Promise.all(numbers.map((n) => db.current.query('select $1::int as n', [n])));
    expect(answers).toEqual(numbers.map((n) => [{ n }]));
  });
});

describe('errors', () => {
  it.each([
    ['a unique value that is taken', `insert into things (name) values ('taken')`, '23505', 'things_have_one_name'],
    ['a check that fails', 'insert into things (size) values (100)', '23514', 'things_are_small'],
    ['a division by zero', 'select 1 / 0', '22012', undefined],
    ['text that is not SQL', 'selct 1', '42601', undefined],
    ['a table that does not exist', 'select * from nowhere', '42P01', undefined],
  ])('carry the SQL state and the constraint: %s', async (_what, sql, sqlState, constraint) => {
    await db.current.query(`insert into things (name) values ('taken') on conflict do nothing`);
    for (const params of [undefined, []]) {
      const error = await db.current.query(sql, params).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(DbError);
      expect(error).toMatchObject({ sqlState, constraint });
      expect(isUniqueViolation(error)).toBe(sqlState === '23505');
      expect(isRefusedStatement(error)).toBe(true);
    }
    expect(await db.current.query('select 1 as alive', [])).toEqual([{ alive: 1 }]);
  });

  it('are thrown by queries after the store was closed', async () => {
    const closed = await openNewDb();
    await closed.close();
    const error = await closed.query('select 1', []).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(DbError);
    expect(isRefusedStatement(error)).toBe(false);
  });
});

describe('transaction', () => {
  it('runs statements that were issued together in order, also when their text is the same and new', async () => {
    const sql = `insert into things (name) values ('together-' || $1::int) returning name`;
    const rows = await db.current.transaction((tx) => Promise.all([1, 2, 3].map((n) => tx.query(sql, [n]))));
    expect(rows.flat()).toEqual([1, 2, 3].map((n) => ({ name: `together-${n}` })));
    expect(await names('together-%')).toEqual(['together-1', 'together-2', 'together-3']);
  });

  it('rolls back all statements that were issued together when one fails, with the error of that one', async () => {
    const failing = db.current.transaction((tx) =>
      Promise.all([
        tx.query(`insert into things (name) values ('rolled-1')`, []),
        tx.query('select 1 / $1::int', [0]),
        tx.query(`insert into things (name) values ('rolled-2')`, []),
      ]),
    );
    await expect(failing).rejects.toMatchObject({ sqlState: '22012' });
    expect(await names('rolled-%')).toEqual([]);
    expect(await db.current.transaction((tx) => tx.query('select 1 as alive', []))).toEqual([{ alive: 1 }]);
  });

  it('commits and returns what the work returns', async () => {
    const result = await db.current.transaction(async (tx) => {
      await tx.query('insert into things (name) values ($1)', ['committed-1']);
      await tx.query('insert into things (name) values ($1)', ['committed-2']);
      return 'done';
    });
    expect(result).toBe('done');
    expect(await names('committed-%')).toEqual(['committed-1', 'committed-2']);
  });

  it('stores nothing when the work throws, and throws the same error', async () => {
    const error = new Error('changed my mind');
    const failing = db.current.transaction(async (tx) => {
      await tx.query('insert into things (name) values ($1)', ['undone']);
      throw error;
    });
    await expect(failing).rejects.toBe(error);
    expect(await names('undone')).toEqual([]);
  });

  it('stores nothing that the work issued and did not wait for, when it throws or asks to roll back', async () => {
    const issue = (store: Db, name: string, params: unknown[] | undefined) =>
      store.transaction(async (tx) => {
        tx.query(`insert into things (name) values ('${name}-first')`, params).catch(() => undefined);
        for (const n of [1, 2, 3]) {
          tx.query('insert into things (name) values ($1)', [`${name}-${n}`]).catch(() => undefined);
        }
        tx.send('insert into things (name) values ($1)', [`${name}-sent`]);
        if (name.startsWith('abandoned')) throw new Error('changed my mind');
        tx.rollBack();
      });
    for (const [number, store] of [db.current, db.current.untimed].entries()) {
      for (const params of [[], undefined]) {
        await expect(issue(store, `abandoned-${number}`, params)).rejects.toThrow('changed my mind');
        await issue(store, `left-${number}`, params);
      }
    }
    // On the connection that the next one gets, they would be stored with it.
    await Promise.all([1, 2, 3].map(() => db.current.query('select 1', [])));
    expect([await names('abandoned-%'), await names('left-%')]).toEqual([[], []]);
  });

  it('fails when a statement has failed, whatever the work makes of it', async () => {
    const ignoring = db.current.transaction(async (tx) => {
      await tx.query('insert into things (name) values ($1)', ['before-ignored-failure']);
      await tx.query('insert into things (size) values ($1)', [100]).catch(() => undefined);
    });
    await expect(ignoring).rejects.toBeInstanceOf(DbError);
    expect(await names('before-ignored-failure')).toEqual([]);
  });

  it('stores nothing when its first statement fails, even if the work goes on', async () => {
    const ignoring = db.current.transaction(async (tx) => {
      await tx.query('insert into things (size) values ($1)', [100]).catch(() => undefined);
      await tx.query('insert into things (name) values ($1)', ['ignored-failure']).catch(() => undefined);
    });
    await ignoring.catch(() => undefined);
    expect(await names('ignored-failure')).toEqual([]);
    const undone = db.current.transaction(async (tx) => {
      await tx.query('insert into things (size) values ($1)', [100]).catch(() => undefined);
      tx.rollBack();
      return 'undone';
    });
    expect(await undone).toBe('undone');
    expect(await db.current.transaction((tx) => tx.query('select 1 as alive', []))).toEqual([{ alive: 1 }]);
  });

  it('stores nothing when the work asks to roll back, and returns what the work returns', async () => {
    const insert = (name: string, isKept: boolean) =>
      db.current.transaction(async (tx) => {
        if (!isKept) tx.rollBack();
        await tx.query('insert into things (name) values ($1)', [name]);
        return name;
      });
    expect(await insert('chosen-1', false)).toBe('chosen-1');
    expect(await insert('chosen-2', true)).toBe('chosen-2');
    expect(await names('chosen-%')).toEqual(['chosen-2']);
  });

  it('stores nothing when a statement fails, and the store keeps working', async () => {
    const failing = db.current.transaction(async (tx) => {
      await tx.query('insert into things (name) values ($1)', ['before-failure']);
      await tx.query('insert into things (size) values ($1)', [100]);
    });
    await expect(failing).rejects.toMatchObject({ sqlState: '23514', constraint: 'things_are_small' });
    expect(await names('before-failure')).toEqual([]);
    await db.current.transaction((tx) => tx.query('insert into things (name) values ($1)', ['after-failure']));
    expect(await names('after-failure')).toEqual(['after-failure']);
  });

  it('stores what it sends last with the rest, or nothing at all', async () => {
    const write = (name: string, size: number) =>
      db.current.transaction(async (tx) => {
        let isCommitted = false;
        await tx.query('insert into things (name) values ($1)', [`${name}-first`]);
        tx.send('insert into things (name, size) values ($1, $2)', [`${name}-last`, size]);
        tx.afterCommit(() => {
          isCommitted = true;
        });
        return () => isCommitted;
      });
    expect((await write('sent', 1))()).toBe(true);
    expect(await names('sent-%')).toEqual(['sent-first', 'sent-last']);
    await expect(write('refused', 100)).rejects.toMatchObject({ sqlState: '23514', constraint: 'things_are_small' });
    expect(await names('refused-%')).toEqual([]);
    await write('next', 1);
    expect(await names('next-%')).toEqual(['next-first', 'next-last']);
  });

  it('sees its own writes, and no one else sees them before the commit', async () => {
    let outside: Promise<string[]> = Promise.resolve([]);
    const failing = db.current.transaction(async (tx) => {
      await tx.query('insert into things (name) values ($1)', ['unseen']);
      expect(await tx.query('select 1 as found from things where name = $1', ['unseen'])).toEqual([{ found: 1 }]);
      outside = names('unseen');
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await outside).toEqual([]);
  });

  it('isolates concurrent transactions', async () => {
    const increments = Array.from({ length: 20 }, (_, index) =>
      db.current.transaction(async (tx) => {
        const [row] = await tx.query<{ n: number }>('select n from counter for update', []);
        await tx.query('update counter set n = $1', [(row?.n ?? 0) + 1]);
        if (index % 4 === 0) throw new Error('one in four gives up');
      }),
    );
    const results = await Promise.allSettled(increments);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(15);
    expect(await db.current.query('select n from counter', [])).toEqual([{ n: 15 }]);
  });
});

describe('listen', () => {
  it('delivers the messages of its channel in order, and none of other channels', async () => {
    const received: string[] = [];
    await db.current.listen(
      'news',
      (payload) => received.push(payload),
      () => undefined,
    );
    await db.current.query(`select pg_notify('other', 'not for us'), pg_notify('news', 'first')`, []);
    await db.current.query(`select pg_notify('news', $1)`, ['link:a:b "ü"']);
    await eventually(
      () => received.length,
      (count) => count >= 2,
    );
    expect(received).toEqual(['first', 'link:a:b "ü"']);
  });

  it('delivers the messages of a transaction when it commits, and none when it rolls back', async () => {
    const received: string[] = [];
    await db.current.listen(
      'commits',
      (payload) => received.push(payload),
      () => undefined,
    );
    const rolledBack = db.current.transaction(async (tx) => {
      await tx.query(`select pg_notify('commits', 'rolled back')`, []);
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    await db.current.transaction((tx) => tx.query(`select pg_notify('commits', 'committed')`, []));
    await eventually(
      () => received.length,
      (count) => count >= 1,
    );
    expect(received).toEqual(['committed']);
  });

  it('delivers each message once to each of several listeners of a channel', async () => {
    const received: string[][] = [[], []];
    for (const list of received) {
      await db.current.listen(
        'shared',
        (payload) => list.push(payload),
        () => undefined,
      );
    }
    await db.current.query(`select pg_notify('shared', 'one')`, []);
    await db.current.query(`select pg_notify('shared', 'two')`, []);
    await eventually(
      () => received,
      (lists) => lists.every((list) => list.includes('two')),
    );
    expect(received).toEqual([
      ['one', 'two'],
      ['one', 'two'],
    ]);
  });
});
