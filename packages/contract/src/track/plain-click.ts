import { isStorable, readProgramReference } from '../values/fields.ts';
import { MAX_IDENTIFIER_CHARS, MAX_TEXT_CHARS, MAX_URL_CHARS } from '../values/limits.ts';
import { type AffiliateUrl, readAffiliateUrl } from './affiliate-url.ts';

const MAX_CHARS = Object.entries({
  affiliate_url: MAX_URL_CHARS,
  page_url: MAX_URL_CHARS,
  page_title: MAX_TEXT_CHARS,
  referrer_url: MAX_URL_CHARS,
  session_id: MAX_IDENTIFIER_CHARS,
  user_agent: MAX_TEXT_CHARS,
  screen_resolution: MAX_TEXT_CHARS,
  viewport_size: MAX_TEXT_CHARS,
  language: MAX_TEXT_CHARS,
  timezone: MAX_TEXT_CHARS,
  existing_click_id: MAX_IDENTIFIER_CHARS,
});

export type PlainClick = { affiliate_url: AffiliateUrl } & { [field: string]: unknown };

/**
 * Parses the body that trackers send: non-empty strings, the id of the program and nothing else. The result is the schema's. Anything that is not
 * as plain as that, valid or not, returns undefined and is left to the schema, which costs a click several times as much.
 */
export function plainClick(fields: object): PlainClick | undefined {
  if ('additional_data' in fields) return undefined;
  const sent = fields as { [field: string]: unknown };
  const body: { [field: string]: unknown } = {};
  // In the same order for every click: objects of the same shape are read and written much faster.
  for (const [name, maxChars] of MAX_CHARS) {
    const value = sent[name];
    if (value === undefined) continue;
    if (typeof value !== 'string' || value === '' || value.length > maxChars || !isStorable(value)) return undefined;
    body[name] = value;
  }
  if (sent.program_id !== undefined) body.program_id = readProgramReference(sent.program_id);
  if (typeof body.affiliate_url !== 'string') return undefined;
  const affiliateUrl = readAffiliateUrl(body.affiliate_url);
  if (typeof affiliateUrl === 'string') return undefined;
  body.affiliate_url = affiliateUrl;
  return body as PlainClick;
}
