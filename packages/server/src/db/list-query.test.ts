import { describe, expect, it } from 'vitest';
import { listQuery, prefixBounds } from './list-query.ts';

describe('listQuery', () => {
  it('numbers the values of its conditions, with the limit last', () => {
    const conditions = [['a = ?', 1], ['b'], ['(c, d) < (?, ?)', 'x', 2]] as [string, ...(string | number)[]][];
    expect(listQuery('select 1', conditions, 'a desc', 10)).toEqual([
      'select 1 where a = $1 and b and (c, d) < ($2, $3) order by a desc limit $4',
      [1, 'x', 2, 10],
    ]);
  });

  it('leaves out a condition when one of its values is missing; false and 0 are values', () => {
    const [sql, params] = listQuery(
      'select 1',
      [
        ['a = ?', null],
        ['b = ?', undefined],
        ['c = ? or c = ?', 1, null],
        ['d = ?', false],
        ['e = ?', 0],
      ],
      'a',
      5,
    );
    expect([sql, params]).toEqual(['select 1 where d = $1 and e = $2 order by a limit $3', [false, 0, 5]]);
  });
});

it('prefixBounds include every text that starts with the prefix, and no other', () => {
  const [from, to] = prefixBounds('ab') as [string, string];
  const isWithin = (text: string) =>
    Buffer.compare(Buffer.from(text), Buffer.from(from)) >= 0 && Buffer.compare(Buffer.from(text), Buffer.from(to)) < 0;
  for (const text of ['ab', 'abc', 'ab\u{10fffe}z', 'ab~']) expect([text, isWithin(text)]).toEqual([text, true]);
  for (const text of ['a', 'aa', 'ac', 'b', 'AB', '']) expect([text, isWithin(text)]).toEqual([text, false]);
  expect(prefixBounds(undefined)).toEqual([undefined, undefined]);
});
