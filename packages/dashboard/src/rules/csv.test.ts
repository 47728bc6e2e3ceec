import { expect, it } from 'vitest';
import { csvOf } from './csv.ts';

it('cells are quoted where they need to be, and never run as formulas', () => {
  const rows = [
    ['Name', 'Email'],
    ['Lee, "Ann"', 'ann@blog.test'],
    ['=1+1', '@cmd'],
  ];
  expect(csvOf(rows)).toBe(`Name,Email\r\n"Lee, ""Ann""",ann@blog.test\r\n'=1+1,'@cmd\r\n`);
});
