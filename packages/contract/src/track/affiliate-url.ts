import { isStorable } from '../values/fields.ts';
import { MAX_SUB_CHARS } from '../values/limits.ts';

/** An address with its `aff` parameter and, if it has one, its sub-id. */
export type AffiliateUrl = { url: string; aff: string; sub: string | undefined };

/** Reads the `aff` parameter of an http or https URL, or returns the message that says what is wrong with it. */
export function readAffiliateUrl(value: string): AffiliateUrl | string {
  const url = parseUrl(value);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'Invalid affiliate_url';
  const aff = url.searchParams.get('aff');
  return aff ? { url: value, aff, sub: readSub(url.searchParams) } : 'No aff parameter found in affiliate_url';
}

/**
 * The sub-id in a query, undefined if there is none. One that is too long or cannot be stored is ignored like other parameters:
 * the click counts without it.
 */
export function readSub(query: URLSearchParams): string | undefined {
  const sub = query.get('sub')?.trim();
  return sub && sub.length <= MAX_SUB_CHARS && isStorable(sub) ? sub : undefined;
}

/** Asking first whether a URL can be parsed would parse it twice, for every click. */
function parseUrl(value: string): URL | null {
  try {
    return new URL(value);
  } catch {
    return null;
  }
}
