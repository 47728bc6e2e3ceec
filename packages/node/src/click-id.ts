const COOKIE = 'svc_click_id';
const CLICK_ID = /^cust_\d+_\d+$/;

type Headers = { get(name: string): string | null | undefined } | { cookie?: string | string[] | undefined };
/** Such as what Next's `cookies()` resolves with. */
type Cookies = { get(name: string): { value: string } | undefined };

/** What a request looks like in the frameworks, or the part of it that holds the cookies. */
export type CookieSource =
  | string
  | null
  | undefined
  /** A standard Request (Next, Remix), or the request of Express, Fastify and Node. */
  | { headers: Headers }
  /** The context of Hono. */
  | { req: { raw: { headers: Headers } } }
  | Headers
  | Cookies;

/**
 * The visitor's click id, from the cookie that the tracker has set. Takes the request of Next, Express, Fastify or Node, the
 * context of Hono, what `cookies()` or `headers()` of Next resolve with, or a Cookie header. Undefined without a valid one.
 */
export function clickIdFrom(source: CookieSource): string | undefined {
  try {
    const value = cookieOf(source);
    return value !== undefined && CLICK_ID.test(value) ? value : undefined;
  } catch {
    // Whatever was passed is no request.
    return undefined;
  }
}

function cookieOf(source: CookieSource): string | undefined {
  if (source === null || source === undefined) return undefined;
  if (typeof source === 'string') return parseHeader(source);
  if ('headers' in source) return cookieOf(source.headers as Headers);
  if ('req' in source) return cookieOf(source.req.raw);
  if ('get' in source && typeof source.get === 'function') {
    const cookie = source.get(COOKIE);
    if (typeof cookie === 'object' && cookie !== null) return cookie.value;
    const header = source.get('cookie');
    return typeof header === 'string' ? parseHeader(header) : undefined;
  }
  const { cookie } = source as { cookie?: string | string[] };
  return cookie === undefined ? undefined : parseHeader([cookie].flat().join('; '));
}

function parseHeader(header: string): string | undefined {
  const pair = header.split(';').find((part) => part.trim().startsWith(`${COOKIE}=`));
  return pair?.trim().slice(COOKIE.length + 1);
}
