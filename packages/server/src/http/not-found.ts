import { errors } from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_HEADERS, page } from './docs/page.ts';
import { pathOf } from './request-guard.ts';

/** Answers 404 for unknown paths, and 405 with the allowed methods for known paths. */
export function answerUnknownRoutes(app: FastifyInstance): void {
  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set();
    for (const name of [method].flat()) known.add(name);
    methods.set(url, known);
  });
  const refusalOf = (url: string) => {
    const path = pathOf(url);
    // The one with the fewest parameters: `/commissions/review` rather than `/commissions/:commission_id`.
    const parameters = ([pattern]: [string, unknown]) => pattern.split(':').length;
    const matching = [...methods].filter(([pattern]) => pattern === path || matches(pattern, path));
    const allowed = matching.sort((one, other) => parameters(one) - parameters(other))[0]?.[1];
    return allowed ? errors.methodNotAllowed([...allowed]) : errors.notFound();
  };
  // Runs before the body is read: what is wrong with it does not matter here.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const refusal = refusalOf(request.url);
    if (!isForPeople(request) || refusal.status !== 404) return done(refusal);
    sendNotFoundPage(reply);
  });
  app.setNotFoundHandler((request) => {
    throw refusalOf(request.url);
  });
}

const NOT_FOUND_HEADERS = { ...PAGE_HEADERS, 'Cache-Control': 'no-store' };
const NOT_FOUND_PAGE = page(
  'Page not found',
  `<p>There is nothing at this address. <a href="/app">Go to the dashboard</a> or <a href="/docs/guide">read the docs</a>.</p>`,
);

export function sendNotFoundPage(reply: FastifyReply): FastifyReply {
  return reply.code(404).headers(NOT_FOUND_HEADERS).type('text/html; charset=utf-8').send(NOT_FOUND_PAGE);
}

/** Whether a person has opened the address in a browser. Paths of the API answer everybody alike. */
export function isForPeople({ method, url, headers }: FastifyRequest): boolean {
  return method === 'GET' && !url.startsWith('/api/') && (headers.accept ?? '').split(',')[0] === 'text/html';
}

/** Whether the path matches a route with parameters, like `/programs/:program_id`. */
function matches(pattern: string, path: string): boolean {
  if (!pattern.includes(':')) return false;
  const [parts, actual] = [pattern.split('/'), path.split('/')];
  return parts.length === actual.length && parts.every((part, index) => part.startsWith(':') || part === actual[index]);
}
