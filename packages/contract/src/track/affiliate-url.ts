/** An address with its `aff` parameter. */
export type AffiliateUrl = { url: string; aff: string };

/** Reads the `aff` parameter of an http or https URL, or returns the message that says what is wrong with it. */
export function readAffiliateUrl(value: string): AffiliateUrl | string {
  const url = parseUrl(value);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'Invalid affiliate_url';
  const aff = url.searchParams.get('aff');
  return aff ? { url: value, aff } : 'No aff parameter found in affiliate_url';
}

/** Asking first whether a URL can be parsed would parse it twice, for every click. */
function parseUrl(value: string): URL | null {
  try {
    return new URL(value);
  } catch {
    return null;
  }
}
