import { describe, expect, it } from 'vitest';
import { passwordProblem } from './password.ts';

const ADDRESS = 'robin.hood@forest.test';

describe('a password that is easy to guess', () => {
  it.each([
    'password',
    'Password1',
    'P@ssw0rd!',
    'passw0rd2026',
    'qwertyuiop',
    '12345678',
    '00000000000',
    'abcabcabc',
    'xxxxxxxxxxxxxxxx',
    'Dragon!2024',
    '123dragon',
    'Summer2026!',
    'iloveyou',
    ' letmein1 ',
  ])('is refused as common: %s', (password) => {
    expect(passwordProblem(password, ADDRESS)).toBe('common');
  });

  it.each(['robin.hood@forest.test', 'ROBIN.HOOD@forest.test', 'robin.hood', 'Robin.Hood1'])(
    'is refused as the account’s own address: %s',
    (password) => {
      expect(passwordProblem(password, ADDRESS)).toBe('address');
    },
  );

  it.each([
    ['spaces', ' '],
    ['no-break spaces', '\u00a0'],
    ['ideographic spaces', '\u3000'],
    ['zero-width spaces', '\u200b'],
    ['soft hyphens', '\u00ad'],
    ['line feeds', '\n'],
    ['Hangul fillers', '\u3164'],
    ['braille blanks', '\u2800'],
    ['all of these by turns', ' \u00a0\u3000\u200b\u3164'],
  ])('is refused as blank when it consists of %s', (_what, blank) => {
    expect(passwordProblem(blank.repeat(12), ADDRESS)).toBe('blank');
  });

  it('is refused as common whatever blanks are around and within it', () => {
    expect(passwordProblem('\u200bpass\u00adword\u00a0\u00a0', ADDRESS)).toBe('common');
  });

  it.each(['svcsvcsvc', 'svc12345', 'SVC-2026!'])('is refused as the name of the product: %s', (password) => {
    expect(passwordProblem(password, ADDRESS)).toBe('product');
  });
});

it.each([
  'a long enough password',
  'coffee before talking',
  'dragon-48201-marsh',
  'dragon918273645',
  'tP9-xk2Lq',
  '493028475610',
  'jo@b.test is mine',
])('a password that nobody tries first is accepted: %s', (password) => {
  expect(passwordProblem(password, ADDRESS)).toBeNull();
});
