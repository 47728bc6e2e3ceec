import { expect, it } from 'vitest';
import { printable, printableLines } from './printable.ts';

const ESC = String.fromCharCode(0x1b);
const C1 = String.fromCharCode(0x9b);
const RIGHT_TO_LEFT = String.fromCharCode(0x202e);

it('escapes what a terminal would interpret, and keeps everything else', () => {
  expect(printable(`order${ESC}[2J\nsale 9\r\t`)).toBe('order\\u001b[2J\\u000asale 9\\u000d\\u0009');
  expect(printable(`${C1}31m${RIGHT_TO_LEFT}x${String.fromCodePoint(0xe0001)}`)).toBe(
    '\\u009b31m\\u202ex\\udb40\\udc01',
  );
  expect(printable('Zoë ordered 日本 №5 — €')).toBe('Zoë ordered 日本 №5 — €');
});

it('keeps the lines of an output and the meaning of JSON', () => {
  expect(printableLines(`one\ntwo${ESC}`)).toBe('one\ntwo\\u001b');
  const value = { id: `a${ESC}${C1}b` };
  expect(JSON.parse(printableLines(JSON.stringify(value, null, 2)))).toEqual(value);
});
