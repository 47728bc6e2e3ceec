import { describe, expect, it } from 'vitest';
import { andFilters, type Condition, EVERYONE, inProgram, prefixBounds, whereClause } from './list-query.ts';

const sqlOf = (scope: Condition[], filters: Condition[] = []) => {
  const params: unknown[] = [];
  return [whereClause({ scope, filters }, params), params];
};

describe('whereClause', () => {
  it('numbers the values of the scope and of the filters', () => {
    expect(sqlOf([['a = ?', 1], ['b']], [['(c, d) < (?, ?)', 'x', 2]])).toEqual([
      'where a = $1 and b and (c, d) < ($2, $3)',
      [1, 'x', 2],
    ]);
  });

  it('leaves out a filter when one of its values is missing; false and 0 are values', () => {
    const filters: Condition[] = [
      ['a = ?', null],
      ['b = ?', undefined],
      ['c = ? or c = ?', 1, null],
      ['d = ?', false],
      ['e = ?', 0],
    ];
    expect(sqlOf([['p = ?', 7]], filters)).toEqual(['where p = $1 and d = $2 and e = $3', [7, false, 0]]);
    const params: unknown[] = ['first'];
    expect([andFilters(filters, params), params]).toEqual([' and d = $2 and e = $3', ['first', false, 0]]);
  });

  it.each<[string, Condition[]]>([
    ['null', [['p = ?', null]]],
    ['undefined', [['p = ?', undefined]]],
    [
      'missing in a further condition',
      [
        ['p = ?', 1],
        ['q = ? or r = ?', 2, undefined],
      ],
    ],
    ['not there at all', []],
    ['only a constant', [['not is_test']]],
  ])('throws when a value of the scope is %s', (_name, scope) => {
    expect(() => sqlOf(scope)).toThrow('The scope of a list lacks a value');
  });
});

describe('inProgram', () => {
  const columns = { program: 'program_id', partner: 'partner_id' };

  it('limits rows to one partner, unless everyone is meant', () => {
    expect(inProgram(columns, { programId: 1, partnerId: 2 })).toEqual([
      ['program_id = ?', 1],
      ['partner_id = ?', 2],
    ]);
    expect(inProgram(columns, { programId: 1, partnerId: EVERYONE })).toEqual([['program_id = ?', 1]]);
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
