import type { PayoutLine } from '@svc/contract';
import { type Block, layOutPages } from './page-layout.ts';
import { writePdf } from './pdf-writer.ts';
import { hasCodePoints, shownText } from './shown-text.ts';
import { endBlocks, headBlocks, lineBlock, type Statement } from './statement.ts';
import { statementFont } from './statement-font.ts';

/** How many lines are read at once. Fewer of them are the last ones. */
export const BATCH = 200;

/** The bytes of a statement. The next lines are read once the pages with the ones before them are taken. */
export function writeStatement(
  statement: Statement,
  first: PayoutLine[],
  next: (beforeId: number) => Promise<PayoutLine[]>,
): AsyncGenerator<Buffer> {
  const { payout, programName } = statement;
  const title = `Statement of payout ${payout.id}`;
  const footer = `${shownText(programName, statementFont().isShowable)}, payout ${payout.id}`;
  const pages = layOutPages(statementFont(), blocksOf(statement, first, next), footer);
  return writePdf(pages, { title, createdAt: new Date(payout.created_at) });
}

async function* blocksOf(
  statement: Statement,
  first: PayoutLine[],
  next: (beforeId: number) => Promise<PayoutLine[]>,
): AsyncGenerator<Block> {
  let isIncomplete = false;
  const showable = ({ rows, ...block }: Block): Block => ({
    ...block,
    rows: rows.map((row) => ({
      ...row,
      cells: row.cells.map((cell) => {
        const text = shownText(cell.text, statementFont().isShowable);
        isIncomplete ||= hasCodePoints(text);
        return { ...cell, text };
      }),
    })),
  });
  for (const block of headBlocks(statement)) yield showable(block);
  for (let lines = first; lines.length > 0; ) {
    for (const line of lines) yield showable(lineBlock(line, statement.payout.currency));
    const last = lines.at(-1)!;
    lines = lines.length < BATCH ? [] : await next(last.commission_id);
  }
  for (const block of endBlocks(statement, isIncomplete)) yield block;
}
