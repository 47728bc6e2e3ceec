import { describe, expect, it } from 'vitest';
import { DbError } from '../../db.ts';
import { isWrite, watchWrites } from './watch-writes.ts';

describe('a statement writes', () => {
  it.each([
    'insert into clicks (id) values (1)',
    'update sales set amount_cents = 1',
    'with gone as (delete from sessions returning id) select count(*) from gone',
    'insert into counts (id) values (1) on conflict (id) do update set id = 1',
    'MERGE INTO sales using x on true when matched then delete',
  ])('%s', (sql) => expect(isWrite(sql)).toBe(true));

  it.each([
    'select 1 from sales for update',
    'select 1 from sales for update skip locked',
    'select 1 from sales for no key update of s',
    'select updated_at, inserted from sales',
    'begin',
    'commit',
    'lock table sales in exclusive mode',
  ])('not: %s', (sql) => expect(isWrite(sql)).toBe(false));
});

describe('writes that fail', () => {
  const CANCELLED = '57014';
  const SIX_SECONDS = 'Nothing has been committed for 6 seconds.';
  const [CLICKS, SALES] = ['insert into clicks (id) values (1)', 'update sales set amount_cents = 1 where id = $1'];

  /** A watch whose clock the test moves. Each failure is of a statement that is cancelled at its time limit. */
  function watched() {
    let seconds = 0;
    const said: (string | undefined)[] = [];
    const watch = watchWrites({
      isKnown: () => false,
      onTrouble: (trouble) => void said.push(trouble?.message),
      now: () => seconds * 1000,
    });
    const failAt = (at: number, sql: string) => {
      seconds = at;
      watch.noteFailure(new DbError('canceling statement due to statement timeout', CANCELLED), sql);
      return watch.trouble();
    };
    return { ...watch, failAt, said };
  }

  it('are trouble when several kinds do for five seconds, until something is committed', () => {
    const { failAt, noteCommit, trouble, said } = watched();
    expect([failAt(10, CLICKS), failAt(13, SALES), failAt(16, CLICKS)]).toEqual([null, null, SIX_SECONDS]);
    noteCommit();
    expect(trouble()).toBeNull();
    expect(said).toEqual([SIX_SECONDS, undefined]);
  });

  it('are trouble when a statement that writes several tables does', () => {
    const { failAt } = watched();
    const sql = 'with a as (insert into customers (id) values (1)) insert into clicks (id) values (1)';
    expect([failAt(10, sql), failAt(13, sql), failAt(16, sql)]).toEqual([null, null, SIX_SECONDS]);
  });

  it('are none if it is one statement about one row', () => {
    const { failAt } = watched();
    for (const at of [0, 5.5, 11, 16.5, 22]) expect(failAt(at, SALES)).toBeNull();
    const upsert = 'insert into counts (id) values (1) on conflict (id) do update set id = 1';
    const another = watched();
    for (const at of [0, 5.5, 11]) expect(another.failAt(at, upsert)).toBeNull();
  });

  it('are none if there were only two', () => {
    const { failAt } = watched();
    expect([failAt(0, CLICKS), failAt(5.5, SALES)]).toEqual([null, null]);
  });

  it('are none if they are far apart', () => {
    const { failAt, said } = watched();
    for (const hour of [0, 1, 2, 3]) expect(failAt(hour * 3_600, hour % 2 ? CLICKS : SALES)).toBeNull();
    expect([failAt(20_000, CLICKS), failAt(20_003, SALES), failAt(20_006, CLICKS)]).toEqual([null, null, SIX_SECONDS]);
    expect(said).toEqual([SIX_SECONDS]);
  });
});
