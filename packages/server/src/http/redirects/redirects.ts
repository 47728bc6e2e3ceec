import { MAX_TEXT_CHARS, MAX_URL_CHARS, ServiceError } from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { within } from '../../db/within.ts';
import type { Metrics } from '../../metrics.ts';
import { followLink, type RedirectContext } from '../../redirects/follow-link.ts';
import { isVisit } from '../../redirects/visit.ts';
import type { TrackingContext } from '../../tracking-context.ts';
import { PAGE_HEADERS, page } from '../docs/page.ts';
import type { RateLimiter } from '../rate-limit/rate-limit.ts';
import { byAddress } from '../request-guard.ts';

/** The short address that was opened. */
type Opened = {
  shortLink: string;
  programId?: number;
  existingClickId?: string | undefined;
  /** When the visitor is redirected at the latest, if something was waited for before. */
  until?: number;
  /** Where visitors are led if there is no such link, or if that cannot be told in time; without that, they see a page. */
  ifUnknown?: string;
  ifUnavailable?: string;
};

/** Answers a visitor of a short address. */
export type Redirector = (request: FastifyRequest, reply: FastifyReply, opened: Opened) => Promise<FastifyReply>;

/** How long a visitor waits for the store and for Redis, together. */
export const MAX_WAIT_MS = 150;

type Parts = { ctx: RedirectContext; limit: RateLimiter; metrics: Metrics; maxWaitMs?: number | undefined };

/** The short addresses of links on the service's own host. */
export function addRedirectRoute(app: FastifyInstance, redirect: Redirector): void {
  app.get<{ Params: { short_link: string } }>('/r/:short_link', (request, reply) =>
    redirect(request, reply, { shortLink: request.params.short_link }),
  );
}

/** Answers within moments whatever the store and Redis do. Visitors over the limit are redirected too, without a click. */
export function createRedirector({ ctx, limit, metrics, maxWaitMs = MAX_WAIT_MS }: Parts): Redirector {
  return async (request, reply, { ifUnknown, ifUnavailable, until = performance.now() + maxWaitMs, ...opened }) => {
    // HEAD asks where an address leads. It leaves no click, so it does not count as one.
    const isLed = request.method !== 'HEAD';
    const refusal = await refusalOf(maxWaitMs, () => limit(isLed ? 'click' : 'manage', byAddress(request), reply));
    const followed = await followLink(ctx, {
      ...opened,
      query: queryOf(request.url),
      // Over the limit, the store is not asked either.
      until: refusal ? 0 : until,
      isLed,
      isCounted: !refusal && isVisit(askedBy(request)),
      page: factsOf(ctx, request),
    });
    const outcome = followed.kind === 'redirect' ? followed.click : followed.kind;
    metrics.redirects.labels(outcome).inc();
    if (followed.kind === 'redirect') return lead(reply, followed.location);
    const otherwise = followed.kind === 'unavailable' ? ifUnavailable : ifUnknown;
    if (otherwise !== undefined) return lead(reply, otherwise);
    if (followed.kind === 'unavailable') return showUnavailable(reply, refusal);
    return reply.code(404).headers(SHOWN).type(HTML).send(UNKNOWN_PAGE);
  };
}

/** Counts the visitor as a click does, and returns the refusal if there were too many. A counter that hangs stops nobody. */
async function refusalOf(maxWaitMs: number, count: () => Promise<void> | void): Promise<ServiceError | undefined> {
  try {
    const counting = count();
    if (counting instanceof Promise) await within(maxWaitMs, counting);
  } catch (refusal) {
    if (refusal instanceof ServiceError) return refusal;
    throw refusal;
  }
  return undefined;
}

function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

function askedBy({ method, headers }: FastifyRequest) {
  const purposes = [headers['sec-purpose'], headers.purpose, headers['x-purpose'], headers['x-moz']];
  return { method, purposes, userAgent: headers['user-agent']?.slice(0, MAX_TEXT_CHARS) };
}

function factsOf(ctx: TrackingContext, { headers, ip }: FastifyRequest) {
  const { referer } = headers;
  return {
    userAgent: headers['user-agent']?.slice(0, MAX_TEXT_CHARS),
    ...(referer && referer.length <= MAX_URL_CHARS && { referrerUrl: referer }),
    country: ctx.countryOf?.(ip),
  };
}

const REDIRECT_HEADERS = {
  'Cache-Control': 'no-store',
  // The site learns which site its visitor came from, as without the redirect, and no more.
  'Referrer-Policy': 'strict-origin-when-cross-origin',
};

/** Redirects a visitor. */
export function lead(reply: FastifyReply, location: string): FastifyReply {
  return reply.code(302).headers(REDIRECT_HEADERS).header('Location', location).send();
}

const HTML = 'text/html; charset=utf-8';
const SHOWN = { ...PAGE_HEADERS, 'Cache-Control': 'no-store' };
const UNKNOWN_PAGE = page(
  'Link not found',
  '<p>There is no link at this address. Check it for typing mistakes, or ask the person who shared it.</p>',
);
const UNAVAILABLE_PAGE = page('Try again in a moment', '<p>We couldn’t open this link just now. Reload the page.</p>');
const RETRY_AFTER_SECONDS = 5;

function showUnavailable(reply: FastifyReply, refusal: ServiceError | undefined): FastifyReply {
  return reply
    .code(refusal?.status ?? 503)
    .headers({ ...SHOWN, 'Retry-After': String(RETRY_AFTER_SECONDS), ...refusal?.parts.headers })
    .type(HTML)
    .send(UNAVAILABLE_PAGE);
}
