const MAX_CHARS = 200;

/** Text for a header: one line without control characters, so that no name can add a header of its own. */
export function headerText(text: string): string {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return [...line].slice(0, MAX_CHARS).join('');
}

/** What is left of names that were stored before links in them were refused. */
const LINK = /\S*:\/\/\S*|\bwww\.\S*/giu;
const MAX_NAME_CHARS = 80;

/** The name of a brand or a person as mails show it: one line, without links, and not longer than names are. */
export function nameText(name: string): string {
  const line = [...headerText(name.replace(LINK, '…'))];
  return line.length > MAX_NAME_CHARS ? `${line.slice(0, MAX_NAME_CHARS).join('')}…` : line.join('');
}

/** An address that needs no quoting in headers or SMTP commands: no spaces, quotes or lists. */
const ADDRESS = /^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u;

export function isMailAddress(text: string): boolean {
  return text.length <= 254 && ADDRESS.test(text);
}
