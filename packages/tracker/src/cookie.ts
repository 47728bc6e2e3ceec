/** The value of a cookie, empty when there is none or the browser keeps it back. Values are written so that they need no decoding. */
export function readCookie(name: string): string {
  try {
    return document.cookie.match(`(^|; )${name}=([^;]*)`)?.[2] || '';
  } catch {
    return '';
  }
}

/**
 * Writes a cookie for the widest domain that the browser accepts, which is how the root domain is found: `uk` and `co.uk`
 * are refused, `example.co.uk` is taken; an address or `localhost` gets its own. A given domain is tried alone, then the
 * host itself. An empty value removes the cookie.
 */
export function writeCookie(name: string, value: string, days: number, domain?: string): void {
  const labels = (domain || location.hostname).split('.');
  for (let first = domain ? 1 : labels.length; first >= 0 && readCookie(name) !== value; first--) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in many browsers and on plain HTTP
    document.cookie =
      `${name}=${value};path=/;max-age=${days * 86400};samesite=lax` +
      (location.protocol === 'https:' ? ';secure' : '') +
      (first ? `;domain=${labels.slice(first - 1).join('.')}` : '');
  }
}
