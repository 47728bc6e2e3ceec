import { describe, expect, it } from 'vitest';
import { readInvitees } from './invitees.ts';

const people = (text: string) => readInvitees(text).map(({ name, email, fault }) => fault ?? `${name} <${email}>`);

describe('a pasted list of people', () => {
  it.each([
    ['CSV with a header', 'Name,Email\nAnn Lee,ann@blog.test', ['Ann Lee <ann@blog.test>']],
    ['the columns the other way round', 'email;name\nann@blog.test;Ann Lee', ['Ann Lee <ann@blog.test>']],
    [
      'cells of a spreadsheet',
      'Ann Lee\tann@blog.test\r\nBob\tbob@blog.test',
      ['Ann Lee <ann@blog.test>', 'Bob <bob@blog.test>'],
    ],
    ['addresses of a mail program', '"Lee, Ann" <ann@blog.test>', ['Lee, Ann <ann@blog.test>']],
    ['quoted cells', '"Lee, Ann",ann@blog.test', ['Lee, Ann <ann@blog.test>']],
    ['addresses alone', 'ann@blog.test', ['ann <ann@blog.test>']],
    ['empty lines', '\n\nann@blog.test\n\n', ['ann <ann@blog.test>']],
    ['nothing', '  \n', []],
  ])('%s', (_what, text, expected) => expect(people(text)).toEqual(expected));

  it('says what is wrong with each line', () => {
    const text = 'Ann\nBob,bob\nCid,cid@blog.test\nCid 2,CID@blog.test\n,a b@c.test';
    expect(readInvitees(text).map(({ line, fault }) => [line, fault])).toEqual([
      [1, 'No email address'],
      [2, 'No email address'],
      [3, null],
      [4, 'Same email as line 3'],
      [5, 'Not an email address'],
    ]);
    expect(people(`${'x'.repeat(256)},a@b.test`)).toEqual(['At most 255 characters']);
  });

  it('is read up to 500 people', () => {
    const rows = readInvitees(Array.from({ length: 501 }, (_, n) => `p${n}@blog.test`).join('\n'));
    expect(rows.filter(({ fault }) => fault === null)).toHaveLength(500);
    expect(rows.at(-1)?.fault).toBe('Only the first 500 people can be invited at once');
  });
});
