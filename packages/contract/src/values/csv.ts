/** A cell. An amount is text that no spreadsheet takes for a formula, also if it begins with a minus. */
export type Cell = string | number | boolean | null | { amount: string };

// What makes a spreadsheet treat a cell as a formula, in both widths.
const FORMULA = '[=+\\-@＝＋－＠]';
const AT_THE_START = new RegExp(`^(?=${FORMULA}|[\\t\\r\\n])`);
// In many locales, spreadsheets split at semicolons or tabs, so a cell can begin inside another one.
const AFTER_A_SEPARATOR = new RegExp(`([;\\t\\r\\n])(?=${FORMULA})`, 'g');

/** What a file begins with: the byte order mark by which spreadsheets recognize UTF-8. */
export const CSV_START = '\uFEFF';

/** A line of CSV (RFC 4180). An apostrophe keeps spreadsheets from running text as a formula. */
export function csvLine(cells: Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'object') return cell.amount;
  if (typeof cell !== 'string') return String(cell);
  const text = cell.replace(AFTER_A_SEPARATOR, "$1'").replace(AT_THE_START, "'");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
