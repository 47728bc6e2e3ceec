import { MAX_POSTBACK_CHARS } from './limits.ts';

/** What a partner can have filled into the URL of a postback: what it stands for, and a made-up value for previews and tests. */
export const POSTBACK_MACROS = {
  click_id: { summary: 'The click that brought the customer', sample: 'cust_1_1767225600000' },
  sub: { summary: 'The sub parameter of the link that was clicked', sample: 'newsletter-42' },
  sub_id: { summary: 'The same from a parameter called sub_id', sample: 'newsletter-42' },
  transaction_id: { summary: 'The order or payment', sample: 'order-1001' },
  amount: { summary: 'The amount of the sale', sample: '100.00' },
  commission: { summary: 'Your commission, after deductions', sample: '20.00' },
  currency: { summary: 'The currency of both amounts', sample: 'USD' },
  status: { summary: 'The status of the commission', sample: 'pending' },
  event: { summary: 'What happened', sample: 'created' },
  coupon: { summary: 'The coupon code that was used', sample: 'JANE20' },
  happened_at: { summary: 'When it happened', sample: '2026-01-01T00:00:00.000Z' },
} as const;

export type PostbackMacro = keyof typeof POSTBACK_MACROS;
export type PostbackValues = Record<PostbackMacro, string>;

export const POSTBACK_MACRO_NAMES = Object.keys(POSTBACK_MACROS) as [PostbackMacro, ...PostbackMacro[]];

/** The values of previews and tests. */
export const SAMPLE_POSTBACK = Object.fromEntries(
  Object.entries(POSTBACK_MACROS).map(([name, { sample }]) => [name, sample]),
) as PostbackValues;

const MACRO = /\{([^{}]*)\}/g;
const MISLEADING = /[\p{Cc}\p{Z}\\]/u;
const START = /^https?:\/\/([^/?#]+)/i;

/** What is wrong with the URL of a postback, or null. Whether it may be called is another question. */
export function postbackProblem(template: string): string | null {
  if (template.length > MAX_POSTBACK_CHARS) return `url must be at most ${MAX_POSTBACK_CHARS} characters`;
  if (MISLEADING.test(template)) return 'The URL must not contain spaces, backslashes or control characters.';
  const [, host] = START.exec(template) ?? [];
  if (host === undefined) return 'Enter a full URL that starts with https://.';
  if (/[{}]/.test(host)) return 'Macros can be used in the path and the query only, not in the host name.';
  const unknown = macrosIn(template).find((name) => !isMacro(name));
  if (unknown !== undefined) return `Unknown macro: {${unknown}}`;
  if (/[{}]/.test(template.replace(MACRO, ''))) return 'Braces can only surround the name of a macro.';
  if (template.includes('#')) return 'The URL must not contain #. What follows it is never sent.';
  return URL.canParse(fillPostback(template, SAMPLE_POSTBACK)) ? null : 'Enter a full URL that starts with https://.';
}

/** Whether the receiver can tell a reversal from a sale. Others are not told about reversals. */
export const tellsReversals = (template: string) =>
  macrosIn(template).some((name) => name === 'status' || name === 'event');

/**
 * The URL with its macros filled in. Values are percent-encoded, so none of them changes where the URL leads. Calls that an
 * earlier release stored lack the values of newer macros.
 */
export function fillPostback(template: string, values: PostbackValues): string {
  return template.replace(MACRO, (text, name: string) => (isMacro(name) ? encoded(values[name] ?? '') : text));
}

const macrosIn = (template: string) => [...template.matchAll(MACRO)].map(([, name = '']) => name);

const isMacro = (name: string): name is PostbackMacro => Object.hasOwn(POSTBACK_MACROS, name);

function encoded(value: string): string {
  // URLs have no way to write a part of a path that is only dots: it would mean the folder above.
  if (/^\.+$/.test(value)) return '';
  const left = encodeURIComponent(value.toWellFormed());
  return left.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
