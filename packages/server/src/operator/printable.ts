/** Control characters that a terminal interprets instead of showing, or that change the order of others. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text from tenants and their customers on one line: control characters are escaped, as in `\\u001b`. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (found) =>
    [...Array(found.length).keys()]
      .map((index) => `\\u${found.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** The same for the output of a command, which may have several lines. JSON keeps its meaning. */
export function printableLines(output: string): string {
  return output.split('\n').map(printable).join('\n');
}
