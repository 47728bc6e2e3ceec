export type Cell = string | number | boolean | null;

// What spreadsheets take for the beginning of a formula.
const FORMULA = /^[=+\-@\t\r]/;

/** A line of CSV (RFC 4180). Text that a spreadsheet would run as a formula is made plain text by an apostrophe. */
export function csvLine(cells: Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
