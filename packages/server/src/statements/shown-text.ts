/** More than any name, id or reason that the API accepts. */
const MAX_CHARS = 600;

/** Scripts that read from left to right, and need no more than one glyph after the other. */
const PLAIN_SCRIPT =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Common}\p{Script=Inherited}]$/u;

/** Whether a font can show a character as it is. Each is looked up once. */
export function showableIn({ hasGlyph }: { hasGlyph: (codePoint: number) => boolean }): (character: string) => boolean {
  const known = new Map<string, boolean>();
  return (character) => {
    const isShowable =
      known.get(character) ?? (PLAIN_SCRIPT.test(character) && hasGlyph(character.codePointAt(0) as number));
    known.set(character, isShowable);
    return isShowable;
  };
}

/**
 * Text as a statement can show it: one line without control characters, so that no name can add lines or turn others around. A
 * character that cannot be shown is written as its code point, such as `[U+5F20]`.
 */
export function shownText(text: string, isShowable: (character: string) => boolean): string {
  const line = text
    .slice(0, 4 * MAX_CHARS)
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/\p{Cf}+/gu, '')
    .trim();
  const characters = Array.from(line);
  const shown = characters.slice(0, MAX_CHARS).map((character) => {
    if (isShowable(character)) return character;
    return `[U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
  return shown.join('') + (characters.length > MAX_CHARS || text.length > 4 * MAX_CHARS ? '…' : '');
}

/** Whether a shown text has characters that are written as code points. */
export function hasCodePoints(shown: string): boolean {
  return /\[U\+[0-9A-F]{4,6}\]/.test(shown);
}
