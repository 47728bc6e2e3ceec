import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine } from './csv.ts';

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
const someTexts = fc.array(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 5 });

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

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=cmd|" /C calc"!A0'])(
    'prefixes text that a spreadsheet would run as a formula: %j',
    (text) => {
      expect(read(csvLine([text, 'b']))).toEqual([`'${text}`, 'b']);
    },
  );

  it('writes any text so that it is read back unchanged, except for that apostrophe', () => {
    fc.assert(
      fc.property(someTexts, (texts) => {
        const expected = texts.map((text) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text));
        expect(read(csvLine(texts))).toEqual(expected);
      }),
    );
  });
});
