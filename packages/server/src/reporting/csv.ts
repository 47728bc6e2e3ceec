export type Cell = string | number | boolean | null;

// Characters that make a spreadsheet treat a cell as a formula.
const FORMULA = /^[=+\-@\t\r]/;

/** A line of CSV (RFC 4180). An apostrophe keeps spreadsheets from running text as a formula. */
export function csvLine(cells: Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
