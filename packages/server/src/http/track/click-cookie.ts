import type { FastifyRequest } from 'fastify';
import type { ClickOutcome } from '../../clicks/record-click.ts';
import { formatClickId } from '../../customers/click-id.ts';

/**
 * Where the server of a brand, which relays its visitors' clicks, asks for the click cookie: `host`, or the domain of the cookie.
 * Pages of other sites cannot send it, because it is not among the headers that a preflight allows.
 */
const COOKIE_HEADER = 'svc-relay-cookie';
const DOMAIN = /^\.?[a-z0-9-]+(\.[a-z0-9-]+)+$/i;
const MAX_DOMAIN_CHARS = 253;
const DAY_SECONDS = 86_400;

/** Whether a server stands between the page and the service, and passes the click cookie on. */
export const asksForCookie = ({ headers }: FastifyRequest) => headers[COOKIE_HEADER] !== undefined;

/**
 * The click cookie, for the server that asked for it. It ends when the program's cookie window does, which begins with the
 * visitor's first click; null once that is over.
 */
export function clickCookie(
  { headers }: FastifyRequest,
  { program, clickId }: Pick<ClickOutcome, 'program' | 'clickId'>,
  now: Date,
): string | null {
  const asked = String(headers[COOKIE_HEADER]);
  const domain = asked.length <= MAX_DOMAIN_CHARS && DOMAIN.test(asked) ? `; Domain=${asked}` : '';
  const age = Math.floor((now.getTime() - clickId.clickedAt.getTime()) / 1000);
  const seconds = program.cookieWindowDays * DAY_SECONDS - age;
  if (seconds <= 0) return null;
  return `svc_click_id=${formatClickId(clickId)}; Max-Age=${seconds}; Path=/; SameSite=Lax; Secure${domain}`;
}
