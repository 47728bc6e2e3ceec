/** How a cookie may be written into the header of a request: under its own name, with its value as the service set it. */
export type Spelling = (cookie: { own: string; value: string; other: string }) => string;

const encoded = (text: string) =>
  [...text].map((one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
const decoded = decodeURIComponent;

/** Spellings that stand for the cookie, by the rules of the sign-in library. `other` is its name on http or on https. */
export const READ: Record<string, Spelling> = {
  'as it was set': ({ own, value }) => `${own}=${value}`,
  'not encoded': ({ own, value }) => `${own}=${decoded(value)}`,
  'the first character encoded': ({ own, value }) => `${own}=${encoded(value.slice(0, 1))}${value.slice(1)}`,
  'the first ten characters encoded': ({ own, value }) => `${own}=${encoded(value.slice(0, 10))}${value.slice(10)}`,
  'every character encoded': ({ own, value }) => `${own}=${encoded(decoded(value))}`,
  'every character encoded in capitals': ({ own, value }) => `${own}=${encoded(decoded(value)).toUpperCase()}`,
  'every letter encoded': ({ own, value }) => `${own}=${decoded(value).replace(/[a-z]/gi, encoded)}`,
  'every digit encoded': ({ own, value }) => `${own}=${decoded(value).replace(/\d/g, encoded)}`,
  'everything but letters encoded': ({ own, value }) => `${own}=${decoded(value).replace(/[^a-z]/gi, encoded)}`,
  'the dot encoded': ({ own, value }) => `${own}=${value.replace('.', '%2E')}`,
  'the dot encoded in small letters': ({ own, value }) => `${own}=${value.replace('.', '%2e')}`,
  'hyphens encoded': ({ own, value }) => `${own}=${value.replaceAll('-', '%2D')}`,
  'the signature encoded': ({ own, value }) => `${own}=${decoded(value).replace(/[^.]+$/, encoded)}`,
  'what was encoded, in small letters': ({ own, value }) =>
    `${own}=${value.replace(/%../g, (hex) => hex.toLowerCase())}`,
  'in quotes': ({ own, value }) => `${own}="${value}"`,
  'in quotes, not encoded': ({ own, value }) => `${own}="${decoded(value)}"`,
  'in quotes, every character encoded': ({ own, value }) => `${own}="${encoded(decoded(value))}"`,
  'with something else for the closing quote': ({ own, value }) => `${own}="${value}x`,
  'in quotes and spaces': ({ own, value }) => `${own}=  "${value}"  `,
  'spaces around the name': ({ own, value }) => `  ${own}  =${value}`,
  'spaces around the value': ({ own, value }) => `${own}=  ${value}  `,
  'tabs around both': ({ own, value }) => `a=b;\t${own}\t=\t${value}\t`,
  'no-break spaces around both': ({ own, value }) => `\u00a0${own}\u00a0=\u00a0${value}\u00a0`,
  'after the other name with junk': ({ own, value, other }) => `${other}=junk; ${own}=${value}`,
  'after the other name, empty': ({ own, value, other }) => `${other}=; ${own}=${value}`,
  'after the other name with the same value': ({ own, value, other }) => `${other}=${value}; ${own}=${value}`,
  'after the other name with a made-up value': ({ own, value, other }) =>
    `${other}=2fa-aaaaaaaaaaaaaaaaaaaa.${'A'.repeat(43)}%3D; ${own}=${value}`,
  'after the other name in quotes': ({ own, value, other }) => `${other}="junk"; ${own}=${value}`,
  'before the other name': ({ own, value, other }) => `${own}=${value}; ${other}=junk`,
  'between two of the other name': ({ own, value, other }) => `${other}=a; ${own}=${value}; ${other}=b`,
  'after the name with another prefix': ({ own, value }) =>
    `__Host-${own.replace('__Secure-', '')}=junk; ${own}=${value}`,
  'after the name in capitals': ({ own, value }) => `${own.toUpperCase()}=junk; ${own}=${value}`,
  'after the encoded name': ({ own, value }) => `${own.replace('.', '%2E')}=junk; ${own}=${value}`,
  'after a longer name': ({ own, value }) => `${own}x=junk; ${own}=${value}`,
  'after a name that ends like it': ({ own, value }) => `x${own}=junk; ${own}=${value}`,
  twice: ({ own, value }) => `${own}=${value}; ${own}=${value}`,
  'twice, the second time with junk': ({ own, value }) => `${own}=${value}; ${own}=junk`,
  'twice, the second time empty': ({ own, value }) => `${own}=${value}; ${own}=`,
  'twice, spelled differently': ({ own, value }) => `${own}="${value}"; ${own}=${encoded(value)}`,
  'after another cookie': ({ own, value }) => `a=b; ${own}=${value}`,
  'after another cookie, without a space': ({ own, value }) => `a=b;${own}=${value}`,
  'after a hundred others': ({ own, value }) =>
    `${Array.from({ length: 100 }, (_, n) => `c${n}=${n}`).join('; ')}; ${own}=${value}`,
  'after a cookie that contains it': ({ own, value }) => `a=${own}=junk; ${own}=${value}`,
  'after a quoted cookie': ({ own, value }) => `a="b c"; ${own}=${value}`,
  'after a cookie with bad encoding': ({ own, value }) => `a=%E0%A4%A; ${own}=${value}`,
  'after a cookie with an accent': ({ own, value }) => `a=\u00e9; ${own}=${value}`,
  'after a cookie with a comma': ({ own, value }) => `a=1, 2; ${own}=${value}`,
  'after a word': ({ own, value }) => `word; ${own}=${value}`,
  'after an empty name': ({ own, value }) => `=; ${own}=${value}`,
  'after a version': ({ own, value }) => `$Version=1; ${own}=${value}; $Path=/`,
  'after semicolons': ({ own, value }) => `;; ; ${own}=${value}`,
  'before a semicolon': ({ own, value }) => `${own}=${value};`,
  'before a word': ({ own, value }) => `${own}=${value}; word`,
};

/** Spellings that are not the cookie. */
export const UNREAD: Record<string, Spelling> = {
  'no cookie at all': () => '',
  'the other name': ({ value, other }) => `${other}=${value}`,
  'the name with another prefix': ({ own, value }) => `__Host-${own.replace('__Secure-', '')}=${value}`,
  'the name in capitals': ({ own, value }) => `${own.toUpperCase()}=${value}`,
  'the encoded name': ({ own, value }) => `${own.replace('.', '%2E')}=${value}`,
  'the name in quotes': ({ own, value }) => `"${own}"=${value}`,
  'a word before the name': ({ own, value }) => `word ${own}=${value}`,
  'after a comma': ({ own, value }) => `a=1, ${own}=${value}`,
  'a colon': ({ own, value }) => `${own}: ${value}`,
  'junk under the same name first': ({ own, value }) => `${own}=junk; ${own}=${value}`,
  'nothing under the same name first': ({ own, value }) => `${own}=; ${own}=${value}`,
  'single quotes': ({ own, value }) => `${own}='${value}'`,
  'encoded twice': ({ own, value }) => `${own}=${encoded(encoded(decoded(value)))}`,
  'bad encoding': ({ own, value }) => `${own}=${value}%`,
  'a space inside': ({ own, value }) => `${own}=${value.replace('.', ' .')}`,
  'in capitals': ({ own, value }) => `${own}=${decoded(value).toUpperCase()}`,
  'without its signature': ({ own, value }) => `${own}=${value.replace(/\..*$/, '')}`,
  'its signature alone': ({ own, value }) => `${own}=${value.replace(/^.*\./, '.')}`,
  'a shorter signature': ({ own, value }) => `${own}=${decoded(value).slice(0, -2)}=`,
  'another signature': ({ own, value }) => `${own}=${value.replace(/\..*$/, `.${'A'.repeat(43)}%3D`)}`,
  'another character in front': ({ own, value }) => `${own}=x${value}`,
  'another character behind': ({ own, value }) => `${own}=${value}x`,
};
