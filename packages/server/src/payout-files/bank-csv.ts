/** A line of a CSV file for a bank (RFC 4180). Unlike in files for people, no apostrophe is added to what could be a formula. */
export function bankCsvLine(cells: string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}

/** Text as one line, without control characters. */
function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** A text that a person entered, as one line. What looks like the apostrophe that only spreadsheets need is left out. */
export function bankText(text: string): string {
  return oneLine(text).replace(/^'+(?=[=+\-@])/, '');
}

/** Whether a text looks like an email address. Whether it reaches anyone is for the provider to find out. */
export function isEmail(text: string): boolean {
  return /^[^\s@"'<>(),;:\\[\]][^\s@"<>(),;:\\[\]]*@[^\s@"'<>(),;:\\[\]]+\.[^\s@"'<>(),;:\\[\]]+$/u.test(text);
}
