/** The value of a cookie; empty when there is none or the browser blocks cookies. Values need no decoding. */
export const readCookie = (name: string): string => {
  try {
    // Without a match, this throws.
    return (document.cookie.match(`(^| )${name}=([^;]*)`) as string[])[2] as string;
  } catch {
    return '';
  }
};

/**
 * Writes a cookie for the widest domain that the browser accepts, which finds the root domain: `uk` and `co.uk` are
 * refused, `example.co.uk` is accepted; an IP address or `localhost` is used as it is. A given domain is tried first, then
 * the host. An empty value deletes the cookie. Browsers skip attributes that they do not know, such as `undefined` without HTTPS.
 */
export const writeCookie = (name: string, value: string, days: number, domain?: string): void => {
  const labels = (domain || location.hostname).split('.');
  for (let first = domain ? 2 : labels.length + 1; first-- && readCookie(name) !== value; ) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in many browsers and on plain HTTP
    document.cookie =
      // Only `https:` has a sixth character.
      `${name}=${value};path=/;max-age=${days * 86400};samesite=lax;${location.protocol[5] && 'secure'};` +
      (first && 'domain=' + labels.slice(first - 1).join('.'));
  }
};
