import { setImmediate } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { type Mark, PAGE } from './page-layout.ts';
import { statementFont } from './statement-font.ts';

const INK = '#111111';
const QUIET = '#555555';
const RULE = '#cccccc';

/**
 * The bytes of a PDF, page by page: no page is laid out before the one before it was taken. The same pages give the same bytes,
 * because nothing in them depends on when or where they are written.
 */
export async function* writePdf(
  pages: AsyncIterable<Mark[]>,
  { title, createdAt }: { title: string; createdAt: Date },
): AsyncGenerator<Buffer> {
  const document = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    autoFirstPage: false,
    font: '',
    // Its cache of words grows with the document.
    fontLayoutCache: false,
    lang: 'en',
    info: { Title: title, CreationDate: createdAt },
  });
  // The types do not know that an opened font is accepted, too.
  document.registerFont('text', statementFont().source as unknown as Buffer);
  document.font('text');
  for await (const page of pages) {
    document.addPage();
    for (const mark of page) draw(document, mark);
    const written = bytesOf(document);
    if (written) yield written;
    await nextTurn();
  }
  document.end();
  const rest = bytesOf(document);
  if (rest) yield rest;
}

function draw(document: PDFKit.PDFDocument, mark: Mark): void {
  if ('rule' in mark) {
    const right = PAGE.width - PAGE.margin;
    document.moveTo(PAGE.margin, mark.y).lineTo(right, mark.y).lineWidth(0.5).strokeColor(RULE).stroke();
    return;
  }
  document
    .fillColor(mark.isQuiet ? QUIET : INK)
    .fontSize(mark.size)
    // Asking for no features has a text laid out at once instead of word by word.
    .text(mark.text, mark.x, mark.y, { lineBreak: false, features: [] });
}

/** What was written since the last call. */
function bytesOf(document: PDFKit.PDFDocument): Buffer | null {
  return document.read() as Buffer | null;
}

let lastTurn: Promise<void> = Promise.resolve();

/** Waits for a turn of the event loop in which no other document has a page written: many at once delay requests no more than one. */
function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}
