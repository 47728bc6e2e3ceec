/** The rows of a CSV file (RFC 4180). Line ends may be of any kind, and a byte order mark is left out. */
export function readCsv(text: string, delimiter = ','): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text;
  for (let at = 0; at < content.length; at++) {
    const character = content.charAt(at);
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (content[at + 1] === '"') cell += content.charAt(++at);
      else isQuoted = false;
    } else if (character === '"' && cell === '') {
      isQuoted = true;
    } else if (character === delimiter) {
      row.push(cell);
      cell = '';
    } else if (character === '\n' || character === '\r') {
      if (character === '\r' && content[at + 1] === '\n') at++;
      rows.push([...row, cell]);
      [row, cell] = [[], ''];
    } else {
      cell += character;
    }
  }
  if (cell !== '' || row.length > 0) rows.push([...row, cell]);
  return rows;
}
