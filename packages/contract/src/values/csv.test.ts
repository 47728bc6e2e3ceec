import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../test/any-character.ts';
import { csvLine } from './csv.ts';
import { csvColumns } from './csv-columns.ts';
import { formatDecimal } from './decimal.ts';

/** Parses a line according to RFC 4180. */
function read(line: string): string[] {
  const cells: string[] = [];
  const shape = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n$)/gy;
  for (let match = shape.exec(line); match; match = shape.exec(line)) {
    cells.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] !== ',') break;
  }
  return cells;
}

// Built here because it takes fast-check seconds, which would count towards the timeout of a test.
const someTexts = fc.array(fc.string({ unit: anyCharacter }), { minLength: 2, maxLength: 5 });

describe('csvLine', () => {
  it.each([
    [['a', 1, null, true], 'a,1,,true\r\n'],
    [['a,b', 'say "hi"', 'two\nlines', 'cr\r'], '"a,b","say ""hi""","two\nlines","cr\r"\r\n'],
    [[''], '\r\n'],
    [[-500, 0], '-500,0\r\n'],
    [['-500', '1-2'], "'-500,1-2\r\n"],
  ])('%j', (cells, line) => {
    expect(csvLine(cells)).toBe(line);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '＝1+1', '＋1', '－1', '＠A1', '\t1', '\r1', '\n1', '=cmd|" /C calc"!A0'])(
    'prefixes text that a spreadsheet would run as a formula: %j',
    (text) => {
      expect(read(csvLine([text, 'b']))).toEqual([`'${text}`, 'b']);
    },
  );

  it.each([
    ['a;=1+1', "a;'=1+1"],
    ['a;b;＝1+1;-2', "a;b;'＝1+1;'-2"],
    ['a\n=1', "a\n'=1"],
    ['a\r\n@A1', "a\r\n'@A1"],
    ['\t=1', "'\t'=1"],
    ['\n=1', "'\n'=1"],
    [';=1', ";'=1"],
    ['a; b', 'a; b'],
  ])('prefixes a formula inside of text, where a spreadsheet may split: %j', (text, expected) => {
    expect(read(csvLine([text, 'b']))).toEqual([expected, 'b']);
  });

  it('writes any text so that it is read back unchanged, except for apostrophes', () => {
    fc.assert(
      fc.property(someTexts, (texts) => {
        const withoutApostrophes = (text: string) => text.replaceAll("'", '');
        expect(read(csvLine(texts)).map(withoutApostrophes)).toEqual(texts.map(withoutApostrophes));
      }),
    );
  });
});

it.each([
  [4_900, 2, '49.00'],
  [-960, 2, '-9.60'],
  [5, 2, '0.05'],
  [-5, 3, '-0.005'],
  [4_900, 0, '4900'],
  [0, 4, '0.0000'],
  [Number.MAX_SAFE_INTEGER, 2, '90071992547409.91'],
])('%d with %d decimals is %s, which a spreadsheet reads as a number', (cents, exponent, text) => {
  expect(formatDecimal(cents, exponent)).toBe(text);
  expect(csvLine([{ amount: text }])).toBe(`${text}\r\n`);
});

it('an amount in a currency of its own has the decimals of that currency', () => {
  const columns = csvColumns(['sale_cents', 'sale_currency', 'fee_cents', 'currency']);
  const fields = { sale_cents: 1_000, sale_currency: 'JPY', fee_cents: 1_000, currency: 'EUR' };
  expect(columns.map(({ title }) => title).join()).toBe('sale,sale_cents,sale_currency,fee,fee_cents,currency');
  expect(csvLine(columns.map(({ cell }) => cell(fields)))).toBe('1000,1000,JPY,10.00,1000,EUR\r\n');
});
