import { compile } from '@fastify/proxy-addr';
import { errors, normalHost } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import type { ServiceContext } from './service-context.ts';

/** The machine itself and private networks, where proxies run. */
const isNearby = compile(['loopback', 'linklocal', 'uniquelocal']);

/**
 * Tells a proxy whether to get a certificate for a host: 200 for that of the service and for active link hosts, 404 for others. It
 * is answered from memory, because a handshake waits for it. Callers on the internet get 404.
 */
export function addTlsAllowedRoute(app: FastifyInstance, { lookup, baseUrl }: ServiceContext): void {
  const ownHost = new URL(baseUrl).hostname;
  app.get<{ Querystring: { domain?: unknown } }>('/internal/tls-allowed', async ({ query, ip }, reply) => {
    const host = typeof query.domain === 'string' ? normalHost(query.domain) : null;
    const isKnown = host !== null && (host === ownHost || lookup.hosts.find(host) !== undefined);
    if (!isNearby(ip, 0) || !isKnown) throw errors.notFound();
    return reply.send({ allowed: true });
  });
}
