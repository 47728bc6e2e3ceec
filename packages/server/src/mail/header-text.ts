const MAX_CHARS = 200;

/** Text for a header: one line without control characters, so that no name can add a header of its own. */
export function headerText(text: string): string {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return [...line].slice(0, MAX_CHARS).join('');
}

/** An address that needs no quoting in headers or SMTP commands: no spaces, quotes or lists. */
const ADDRESS = /^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u;

export function isMailAddress(text: string): boolean {
  return text.length <= 254 && ADDRESS.test(text);
}
