/** One line of a pasted list or a CSV file: a person, or what is wrong with it. */
export type Invitee = { line: number; name: string; email: string; fault: string | null };

export const MAX_INVITEES = 500;
const MAX_CHARS = 255;

/**
 * Reads the people in a pasted list: one per line, as CSV (`Name, email` in either order, with or without a header), as
 * `Name <email>`, with tabs as spreadsheets copy them, or an address alone. Empty lines are left out.
 */
export function readInvitees(text: string): Invitee[] {
  const lines = text.split(/\r\n|\r|\n/).map((content, index) => ({ line: index + 1, content: content.trim() }));
  const filled = lines.filter(({ content }) => content !== '');
  const rows = filled.filter((row, index) => index > 0 || !isHeader(row.content));
  const seen = new Map<string, number>();
  return rows.map(({ line, content }, index) => {
    const person = readLine(content);
    const fault =
      index >= MAX_INVITEES ? `Only the first ${MAX_INVITEES} people can be invited at once` : faultOf(person);
    const earlier = seen.get(person.email.toLowerCase());
    if (!fault && earlier === undefined) seen.set(person.email.toLowerCase(), line);
    return { line, ...person, fault: fault ?? (earlier === undefined ? null : `Same email as line ${earlier}`) };
  });
}

function isHeader(content: string): boolean {
  const cells = cellsOf(content).map((cell) => cell.toLowerCase());
  return !content.includes('@') && cells.some((cell) => /^e-?mail\b/.test(cell));
}

function readLine(content: string): { name: string; email: string } {
  const [, named, address] = /^"?([^"<]*)"?\s*<([^<>]*)>$/.exec(content) ?? [];
  if (address !== undefined) return complete(named?.trim() ?? '', address.trim());
  const cells = cellsOf(content);
  const email = cells.find((cell) => cell.includes('@')) ?? '';
  return complete(cells.find((cell) => cell !== '' && cell !== email) ?? '', email);
}

/** Without a name, the part before the @ serves as one. */
function complete(name: string, email: string): { name: string; email: string } {
  return { name: name || (email.split('@')[0] ?? ''), email };
}

/** The cells of a line of CSV, separated by tabs, semicolons or commas, whichever occurs first in this order. */
function cellsOf(content: string): string[] {
  const separator = ['\t', ';', ','].find((each) => content.includes(each)) ?? ',';
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (const char of content) {
    if (char === '"') isQuoted = !isQuoted;
    else if (char === separator && !isQuoted) {
      cells.push(cell.trim());
      cell = '';
    } else cell += char;
  }
  return [...cells, cell.trim()];
}

function faultOf({ name, email }: { name: string; email: string }): string | null {
  if (email === '') return 'No email address';
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) return 'Not an email address';
  return name.length > MAX_CHARS || email.length > MAX_CHARS ? `At most ${MAX_CHARS} characters` : null;
}
