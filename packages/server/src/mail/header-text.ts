const MAX_CHARS = 200;

/** What starts another line, or turns the direction of the text around it. */
export const NOT_OF_ONE_LINE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;

/** Text for a header: one line without control characters, so that no name can add a header of its own. */
export function headerText(text: string): string {
  const line = text.replace(NOT_OF_ONE_LINE, ' ').replace(/\s+/g, ' ').trim();
  return [...line].slice(0, MAX_CHARS).join('');
}

const LINK = /\S*:\/\/\S*|\bwww\.\S*|\S*\.\p{L}{2,}\/\S*/giu;

/** What people typed, as mails may repeat it: programs that show mails would turn a web address in it into a link. */
export const withoutLinks = (text: string) => text.replace(LINK, '…');

const MAX_NAME_CHARS = 80;

/** The name of a brand or a person as mails show it: one line, without links, and not longer than names are. */
export function nameText(name: string): string {
  const line = [...headerText(withoutLinks(name))];
  return line.length > MAX_NAME_CHARS ? `${line.slice(0, MAX_NAME_CHARS).join('')}…` : line.join('');
}

/** An address that needs no quoting in headers or SMTP commands: no spaces, quotes or lists. */
const ADDRESS = /^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u;

export function isMailAddress(text: string): boolean {
  return text.length <= 254 && ADDRESS.test(text);
}
