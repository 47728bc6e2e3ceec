import type { FontMetrics } from './statement-font.ts';

/** A text in a column, in points from the left margin. */
export type Cell = { text: string; x: number; width: number; isRightAligned?: true };

/** Cells beside each other. What is too wide for its column continues below. */
export type Row = { cells: Cell[]; size: number; isQuiet?: true };

/** Rows that stay together on a page, as long as one page has room for them. */
export type Block = { rows: Row[]; gap: number; hasRule?: true };

/** What is drawn: a text with its place, in points from the top left corner of the page, or a line across it. */
export type Mark = { y: number } & ({ text: string; x: number; size: number; isQuiet: boolean } | { rule: true });

/** A4, in points. */
export const PAGE = { width: 595, height: 842, margin: 42 };
export const CONTENT_WIDTH = PAGE.width - 2 * PAGE.margin;

const FOOTER_SIZE = 7;
const BOTTOM = PAGE.height - PAGE.margin - 2 * FOOTER_SIZE;
const LINE_HEIGHT = 1.35;

/** The parts of a text that fit into a width, cut at spaces or, where a word alone is too wide, within it. */
export function wrapText({ widthOf }: FontMetrics, text: string, size: number, width: number): string[] {
  const space = widthOf(' ', size);
  const lines: string[] = [];
  let line = '';
  let used = 0;
  const add = (part: string, gap: string, wide: number) => {
    const isFirst = line === '';
    const total = isFirst ? wide : used + (gap === '' ? 0 : space) + wide;
    if (!isFirst && total > width) {
      lines.push(line);
      [line, used] = [part, wide];
    } else {
      [line, used] = [isFirst ? part : line + gap + part, total];
    }
  };
  for (const word of text.split(' ')) {
    const wide = widthOf(word, size);
    if (wide <= width) {
      add(word, ' ', wide);
      continue;
    }
    for (const [index, character] of [...word].entries())
      add(character, index === 0 ? ' ' : '', widthOf(character, size));
  }
  return [...lines, line];
}

/** Lays blocks out, page by page, each with a footer that numbers it. A page is complete before the next block is asked for. */
export async function* layOutPages(
  font: FontMetrics,
  blocks: AsyncIterable<Block>,
  footer: string,
): AsyncGenerator<Mark[]> {
  let number = 1;
  let marks: Mark[] = [];
  let y = PAGE.margin;
  const endPage = () => {
    const page = [...marks, ...footerOf(font, footer, number)];
    number += 1;
    marks = [];
    y = PAGE.margin;
    return page;
  };
  for await (const { rows, gap, hasRule } of blocks) {
    const lines = rows.flatMap((row) => linesOf(font, row));
    const height = lines.reduce((sum, line) => sum + line.height, 0);
    if (marks.length > 0 && y + gap + height > BOTTOM) yield endPage();
    if (marks.length > 0) y += gap;
    if (hasRule) marks.push({ y: y - gap / 2, rule: true });
    for (const line of lines) {
      if (y + line.height > BOTTOM) yield endPage();
      for (const mark of line.marks) marks.push({ ...mark, y });
      y += line.height;
    }
  }
  yield endPage();
}

type Line = { height: number; marks: { text: string; x: number; size: number; isQuiet: boolean }[] };

/** The lines that a row takes once its cells are wrapped. */
function linesOf(font: FontMetrics, { cells, size, isQuiet }: Row): Line[] {
  const columns = cells.map((cell) => ({ cell, texts: wrapText(font, cell.text, size, cell.width) }));
  const count = Math.max(...columns.map(({ texts }) => texts.length));
  return Array.from({ length: count }, (_, index) => ({
    height: size * LINE_HEIGHT,
    marks: columns.flatMap(({ cell, texts }) => {
      const text = texts[index] ?? '';
      if (text === '') return [];
      const indent = cell.isRightAligned ? cell.width - font.widthOf(text, size) : 0;
      return [{ text, x: PAGE.margin + cell.x + indent, size, isQuiet: isQuiet === true }];
    }),
  }));
}

function footerOf(font: FontMetrics, footer: string, number: number): Mark[] {
  const page = `Page ${number}`;
  const at = { y: PAGE.height - PAGE.margin - FOOTER_SIZE, size: FOOTER_SIZE, isQuiet: true };
  const room = CONTENT_WIDTH - font.widthOf(`${page}   `, FOOTER_SIZE);
  const [left = ''] = wrapText(font, footer, FOOTER_SIZE, room);
  return [
    { ...at, text: left, x: PAGE.margin },
    { ...at, text: page, x: PAGE.width - PAGE.margin - font.widthOf(page, FOOTER_SIZE) },
  ];
}
