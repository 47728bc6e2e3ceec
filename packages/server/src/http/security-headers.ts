import type { FastifyInstance } from 'fastify';

const ONE_YEAR_SECONDS = 31_536_000;

/** Routes whose answers depend on the caller. Browsers report events to the others, or load them from any page. */
const PRIVATE = /^\/api\/(?!v1\/(?:track|webhooks)\/)/;

const PRIVATE_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};

/** Headers on every answer that keep browsers from sniffing, caching or framing it. Pages and files add their own. */
export function addSecurityHeaders(app: FastifyInstance, baseUrl: string): void {
  const isSecure = baseUrl.startsWith('https:');
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff');
    if (isSecure) reply.header('strict-transport-security', `max-age=${ONE_YEAR_SECONDS}`);
    if (PRIVATE.test(request.url)) reply.headers(PRIVATE_HEADERS);
    done();
  });
}
