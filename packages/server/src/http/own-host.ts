import type { IncomingMessage } from 'node:http';
import { affiliateCodeIn, CLICK_COOKIE, errors } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import type { LinkHost } from '../domains/link-hosts.ts';
import { addParameter, landingPage, startPage } from '../redirects/landing-page.ts';
import { lead, MAX_WAIT_MS, type Redirector } from './redirects/redirects.ts';
import type { ServiceContext } from './service-context.ts';

/** What requests to link hosts are rewritten to. Only those are answered there. */
const REWRITTEN = '/internal/link-host';

/** A request to a link host, with the end of its address; null at the start page. */
type Opened = LinkHost & { shortLink: string | null };

export type OwnHosts = {
  /** The address that a request is routed by. On a link host, no other route can be reached. */
  rewriteUrl(request: IncomingMessage): string;
  addRoute(app: FastifyInstance, redirect: Redirector): void;
};

type Options = {
  ctx: ServiceContext;
  /** Undefined where no proxy is trusted. */
  trustsProxy: ((address: string, hop: number) => boolean) | undefined;
  maxWaitMs?: number | undefined;
};

/** Serves the links of a program on its own hosts, and nothing else there. */
export function createOwnHosts({ ctx, trustsProxy, maxWaitMs = MAX_WAIT_MS }: Options): OwnHosts {
  const { host: service, hostname: serviceName } = new URL(ctx.baseUrl);
  const opened = new WeakMap<IncomingMessage, Opened>();

  function rewriteUrl(request: IncomingMessage): string {
    const { url = '/' } = request;
    if (ctx.lookup.hosts.isEmpty()) return url;
    const sent = hostOf(request, trustsProxy);
    // Most requests are to the service itself.
    if (sent === service || sent === serviceName) return url;
    const name = nameOf(sent);
    const found = name === serviceName ? undefined : ctx.lookup.hosts.find(name);
    if (!found) return url;
    const query = url.indexOf('?');
    opened.set(request, { ...found, shortLink: shortLinkIn(query === -1 ? url : url.slice(0, query)) });
    return query === -1 ? REWRITTEN : `${REWRITTEN}${url.slice(query)}`;
  }

  function addRoute(app: FastifyInstance, redirect: Redirector): void {
    app.get(REWRITTEN, async (request, reply) => {
      const at = opened.get(request.raw);
      if (!at) throw errors.notFound();
      const until = performance.now() + maxWaitMs;
      const query = request.url.slice(REWRITTEN.length + 1);
      const site = landingPage(startPage({ domain: at.site }), query);
      const shortLink = at.shortLink ?? (await codeIn(query, at.programId, until));
      if (shortLink === null) return lead(reply, site.href);
      const marked = new URL(site);
      addParameter(marked, 'aff', shortLink);
      const existingClickId = cookieOf(request.headers.cookie);
      const otherwise = { ifUnknown: site.href, ifUnavailable: marked.href };
      return redirect(request, reply, { shortLink, programId: at.programId, existingClickId, until, ...otherwise });
    });
  }

  /** The code in the query of a start page, by the program's parameters; by `aff` alone if they are not known in time. */
  async function codeIn(query: string, programId: number, until: number): Promise<string | null> {
    if (query === '') return null;
    const program = await ctx.lookup.programWithin(until - performance.now(), programId);
    return affiliateCodeIn(new URLSearchParams(query), program?.linkParameters ?? []);
  }

  return { rewriteUrl, addRoute };
}

/** The host that the visitor asked for, as they or a trusted proxy say. */
function hostOf({ headers, socket }: IncomingMessage, trustsProxy: Options['trustsProxy']): string {
  const { host = '', 'x-forwarded-host': forwarded } = headers;
  if (forwarded === undefined || !trustsProxy?.(socket.remoteAddress ?? '', 0)) return host;
  // The last one is what the trusted proxy has added.
  return String(forwarded).split(',').at(-1)!.trim();
}

/** The name of a host without its port, as names are compared. */
function nameOf(host: string): string {
  return host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
}

/** The end of an address with one part; null at the start page. What cannot be a link is one that nobody has. */
function shortLinkIn(path: string): string | null {
  if (path === '/') return null;
  try {
    return decodeURIComponent(path.replace(/^\/|\/$/g, ''));
  } catch {
    return path;
  }
}

/** The click id that the visitor got on the program's site, which shares its cookies with its subdomains. */
function cookieOf(cookies: string | undefined): string | undefined {
  const own = cookies?.split(';').find((cookie) => cookie.trimStart().startsWith(`${CLICK_COOKIE}=`));
  return own?.slice(own.indexOf('=') + 1).trim();
}
