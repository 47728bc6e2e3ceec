import type { Cell } from '@svc/contract';
import type { ZipPart } from './zip.ts';

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** What a sheet can hold: rows with the titles, and characters in a cell. */
const MAX_ROWS = 1_048_576;
const MAX_CHARS = 32_767;
/** Spreadsheets calculate with this many digits. Numbers with more are text, so that no digit is lost. */
const MAX_DIGITS = 15;

/** The styles of `styles.xml`, by their place in it: amounts have the decimals of their currency. */
const TITLE = 1;
const WHOLE = 2;
const DECIMALS = [WHOLE, 3, 4, 5, 6];

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

/** The parts of a workbook with the titles in the first row of each sheet. Rows that do not fit go on the next sheet. */
export async function* xlsxParts(
  titles: string[],
  batches: AsyncIterable<Cell[][]>,
  maxRows = MAX_ROWS,
): AsyncGenerator<ZipPart> {
  const rows = rowsOf(batches);
  let sheets = 0;
  let next = await rows.next();
  const sheet = async function* () {
    yield `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`;
    yield rowOf(titles.map((title) => textCell(title, TITLE)));
    for (let count = 1; count < maxRows && !next.done; count += 1) {
      yield rowOf(next.value.map(cellOf));
      next = await rows.next();
    }
    yield '</sheetData></worksheet>';
  };
  do {
    sheets += 1;
    yield { name: `xl/worksheets/sheet${sheets}.xml`, text: sheet() };
  } while (!next.done);
  for (const [name, text] of frameOf(sheets)) yield { name, text: whole(text) };
}

async function* rowsOf(batches: AsyncIterable<Cell[][]>): AsyncGenerator<Cell[]> {
  for await (const batch of batches) yield* batch;
}

async function* whole(text: string): AsyncGenerator<string> {
  yield text;
}

const rowOf = (cells: string[]) => `<row>${cells.join('')}</row>`;

/** Text is never a formula here, whatever it begins with. */
function cellOf(cell: Cell): string {
  if (cell === null) return '<c/>';
  if (typeof cell === 'boolean') return `<c t="b"><v>${Number(cell)}</v></c>`;
  if (typeof cell === 'string') return textCell(cell);
  const number = typeof cell === 'number' ? String(cell) : cell.amount;
  const [, fraction = ''] = number.split('.');
  const style = typeof cell === 'number' ? WHOLE : DECIMALS[fraction.length];
  const isExact = /^-?\d+(\.\d+)?$/.test(number) && number.replace(/\D/g, '').length <= MAX_DIGITS;
  return isExact && style !== undefined ? `<c s="${style}"><v>${number}</v></c>` : textCell(number);
}

function textCell(text: string, style?: number): string {
  const shown = text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS - 1)}…` : text;
  const attribute = style === undefined ? '' : ` s="${style}"`;
  return `<c t="inlineStr"${attribute}><is><t xml:space="preserve">${escaped(shown)}</t></is></c>`;
}

// What XML cannot hold: control characters and halves of pairs.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

function escaped(text: string): string {
  return text.replace(UNWRITABLE, '�').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Everything besides the sheets, which spreadsheets need to open them. */
function frameOf(sheets: number): [name: string, text: string][] {
  const each = (text: (number: number) => string) =>
    Array.from({ length: sheets }, (_, index) => text(index + 1)).join('');
  const formats = ['0.0', '#,##0.00', '#,##0.000', '#,##0.0000'];
  const styles = formats.map((_, index) => `<xf numFmtId="${170 + index}" xfId="0" applyNumberFormat="1"/>`).join('');
  return [
    [
      'xl/styles.xml',
      `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="${formats.length}">${formats
        .map((code, index) => `<numFmt numFmtId="${170 + index}" formatCode="${code}"/>`)
        .join('')}</numFmts><fonts count="2"><font/><font><b/></font></fonts><fills count="1"><fill/></fills>` +
        `<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${3 + formats.length}">` +
        `<xf xfId="0"/><xf fontId="1" xfId="0" applyFont="1"/><xf numFmtId="1" xfId="0" applyNumberFormat="1"/>${styles}</cellXfs></styleSheet>`,
    ],
    [
      'xl/workbook.xml',
      `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${each(
        (number) => `<sheet name="Sheet ${number}" sheetId="${number}" r:id="rId${number}"/>`,
      )}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${XML}<Relationships xmlns="${PACKAGE}/relationships">${each(
        (number) =>
          `<Relationship Id="rId${number}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
      )}<Relationship Id="rId${sheets + 1}" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
    ],
    [
      '_rels/.rels',
      `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      '[Content_Types].xml',
      `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
        `<Override PartName="/xl/workbook.xml" ContentType="${XLSX_TYPE}.main+xml"/>` +
        `<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>${each(
          (number) =>
            `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`,
        )}</Types>`,
    ],
  ];
}
