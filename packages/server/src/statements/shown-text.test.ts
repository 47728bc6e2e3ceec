import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hasCodePoints, shownText } from './shown-text.ts';
import { statementFont } from './statement-font.ts';

const shown = (text: string) => shownText(text, statementFont().isShowable);

it.each([
  ['Zoë Straße, Łódź, Ἀθηνᾶ, Юлія Їжакевич, Հայ', 'Zoë Straße, Łódź, Ἀθηνᾶ, Юлія Їжакевич, Հայ'],
  ['e\u0301', 'é'],
  ['  a\n\r\t b\u2028c\u0000d ', 'a b c d'],
  ['abc\u202egpj.\u2066exe\u2069\u200b\ufeff', 'abcgpj.exe'],
  ['张伟', '[U+5F20][U+4F1F]'],
  ['אבא', '[U+05D0][U+05D1][U+05D0]'],
  ['a\ud83db', 'a[U+D83D]b'],
  ['🦀', '[U+1F980]'],
  ['', ''],
])('%j is shown as %j', (text, expected) => {
  expect(shown(text)).toBe(expected);
  expect(hasCodePoints(shown(text))).toBe(expected.includes('[U+'));
});

it('is never longer than 600 characters and an ellipsis, code points aside, and always one line', () => {
  expect(shown('n'.repeat(600))).toBe('n'.repeat(600));
  expect(shown('n'.repeat(10_000))).toBe(`${'n'.repeat(600)}…`);
  expect(shown('\u202e'.repeat(10_000))).toBe('…');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (text) => {
      const line = shown(text);
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      expect(Array.from(line.replace(/\[U\+[0-9A-F]{4,6}\]/g, '.')).length).toBeLessThanOrEqual(601);
    }),
  );
});
