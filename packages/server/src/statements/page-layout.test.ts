import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Block, layOutPages, type Mark, PAGE, wrapText } from './page-layout.ts';

/** Every character is half as wide as it is high. */
const font = { widthOf: (text: string, size: number) => (Array.from(text).length * size) / 2 };

const word = fc.string({ minLength: 1, maxLength: 40, unit: fc.constantFrom('a', 'b', 'c') });
const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '));

async function pagesOf(blocks: Block[]): Promise<Mark[][]> {
  async function* each() {
    yield* blocks;
  }
  const pages: Mark[][] = [];
  for await (const page of layOutPages(font, each(), 'Acme, payout 12')) pages.push(page);
  return pages;
}

const textsOf = (page: Mark[]) => page.flatMap((mark) => ('text' in mark ? [mark.text] : []));

it('cuts a text at spaces, and words that are too wide within', () => {
  expect(wrapText(font, 'one two three', 10, 40)).toEqual(['one two', 'three']);
  expect(wrapText(font, 'a abcdefghijk b', 10, 25)).toEqual(['a abc', 'defgh', 'ijk b']);
  expect(wrapText(font, '', 10, 25)).toEqual(['']);
});

it('loses no character of a text, and makes no line too wide', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 5, max: 400 }), (words, width) => {
      const lines = wrapText(font, words, 10, width);
      expect(lines.join('').replaceAll(' ', '')).toBe(words.replaceAll(' ', ''));
      for (const line of lines) expect(font.widthOf(line, 10)).toBeLessThanOrEqual(width);
    }),
  );
});

it('keeps a block on one page, and everything within the margins', async () => {
  const row = (name: string) => ({ size: 10, cells: [{ text: name, x: 0, width: 200 }] });
  const blocks = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(blocks, async (sizes) => {
      const pages = await pagesOf(
        sizes.map((rows, block) => ({
          gap: 8,
          rows: Array.from({ length: rows }, (_, index) => row(`${block}.${index}`)),
        })),
      );
      const written = pages.map((page) => textsOf(page).slice(0, -2));
      expect(written.flat()).toEqual(
        sizes.flatMap((rows, block) => Array.from({ length: rows }, (_, i) => `${block}.${i}`)),
      );
      for (const [block] of sizes.entries()) {
        expect(written.filter((texts) => texts.some((each) => each.startsWith(`${block}.`))).length).toBe(1);
      }
      for (const [index, page] of pages.entries()) {
        expect(textsOf(page).slice(-2)).toEqual(['Acme, payout 12', `Page ${index + 1}`]);
        for (const { y } of page) expect(y >= PAGE.margin - 4 && y <= PAGE.height - PAGE.margin).toBe(true);
      }
    }),
  );
});

it('splits a block that no page has room for', async () => {
  const pages = await pagesOf([
    { gap: 0, rows: [{ size: 10, cells: [{ text: 'x'.repeat(10_000), x: 0, width: 100 }] }] },
  ]);
  expect(pages.length).toBeGreaterThan(5);
  expect(pages.flatMap((page) => textsOf(page).slice(0, -2)).join('')).toBe('x'.repeat(10_000));
});

it('aligns amounts at their right edge', async () => {
  const cell = (amount: string) => ({ text: amount, x: 100, width: 100, isRightAligned: true as const });
  const [page = []] = await pagesOf([
    {
      gap: 0,
      rows: [
        { size: 10, cells: [cell('1.00')] },
        { size: 10, cells: [cell('10.00')] },
      ],
    },
  ]);
  expect(page.slice(0, 2)).toMatchObject([{ x: PAGE.margin + 180 }, { x: PAGE.margin + 175 }]);
});
