import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';
import { showableIn } from './shown-text.ts';

/** What a layout needs to know about a font. */
export type FontMetrics = {
  /** The width of a text in points, at a size in points. */
  widthOf: (text: string, size: number) => number;
};

type StatementFont = FontMetrics & { source: Font; isShowable: (character: string) => boolean };

/** What a document needs to know about a glyph to draw it, and to find its character again. */
type Glyph = { id: number; advanceWidth: number; codePoints: number[] };

let opened: StatementFont | null = null;

/** DejaVu Sans, opened once for the process. It has Latin, Greek and Cyrillic letters, and its license lets documents embed it. */
export function statementFont(): StatementFont {
  opened ??= openFont(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'));
  return opened;
}

function openFont(path: string): StatementFont {
  const font = create(readFileSync(path)) as Font;
  // The font's own glyphs forget their characters when another document has embedded them as a part of a letter.
  const glyphs = new Map<string, Glyph>();
  const glyphOf = (character: string): Glyph => {
    const codePoint = character.codePointAt(0) as number;
    const { id, advanceWidth } = font.glyphForCodePoint(codePoint);
    const glyph = { id, advanceWidth, codePoints: [codePoint] };
    glyphs.set(character, glyph);
    return glyph;
  };
  // Shaping every word takes four times as long, and these scripts look right with one glyph after the other.
  const layout = (text: string) => {
    const row: Glyph[] = [];
    const positions: { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number }[] = [];
    let advanceWidth = 0;
    for (const character of text) {
      const glyph = glyphs.get(character) ?? glyphOf(character);
      row.push(glyph);
      positions.push({ xAdvance: glyph.advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 });
      advanceWidth += glyph.advanceWidth;
    }
    return { glyphs: row, positions, advanceWidth };
  };
  const { unitsPerEm } = font;
  return {
    source: Object.create(font, { layout: { value: layout } }),
    isShowable: showableIn({ hasGlyph: (codePoint) => font.hasGlyphForCodePoint(codePoint) }),
    widthOf(text, size) {
      let units = 0;
      for (const character of text) units += (glyphs.get(character) ?? glyphOf(character)).advanceWidth;
      return (units * size) / unitsPerEm;
    },
  };
}
