import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { errorBody, errors, ServiceError } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import type { Metrics } from '../metrics.ts';

/** Who may read `/metrics`. */
export type MetricsAccess = {
  /** Anyone who reaches the service: it listens only on this machine. */
  isOpen: boolean;
  token: string | undefined;
  /** The port of a separate listener. */
  port: number | undefined;
};

/** The metrics of this node as text, those of all its workers included. */
export type ReadMetrics = () => Promise<string>;

const CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

/**
 * Metrics on the address of the service: open if only this machine can reach it, otherwise with the token, and not served at
 * all if they have a separate listener.
 */
export function addMetricsRoute(app: FastifyInstance, read: ReadMetrics, access: MetricsAccess): void {
  app.get('/metrics', async (request, reply) => {
    if (access.port !== undefined) throw errors.notFound();
    if (!access.isOpen) requireToken(access.token, request.headers.authorization);
    reply.header('Cache-Control', 'no-store');
    return reply.type(CONTENT_TYPE).send(await read());
  });
}

/** Measures every request, by route and status. Looking up a labeled series costs more than adding to it, so it is done once. */
export function timeRequests(app: FastifyInstance, { requestSeconds }: Metrics): void {
  const series = new Map<string, ReturnType<typeof requestSeconds.labels>[]>();
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const { statusCode } = reply;
    const ofRoute = series.get(route) ?? [];
    const known = ofRoute[statusCode] ?? requestSeconds.labels(route, String(statusCode));
    ofRoute[statusCode] = known;
    series.set(route, ofRoute);
    known.observe(reply.elapsedTime / 1000);
    done();
  });
}

/** Serves the metrics, and nothing else, on a separate port, which need not be reachable from outside. */
export function createMetricsListener(read: ReadMetrics, { token }: MetricsAccess): Server {
  return createServer(async (request, response) => {
    try {
      if (request.method !== 'GET' || request.url !== '/metrics') throw errors.notFound();
      if (token) requireToken(token, request.headers.authorization);
      const text = await read();
      response.setHeader('Content-Type', CONTENT_TYPE).end(text);
    } catch (error) {
      const sent = error instanceof ServiceError ? error : errors.unexpected();
      response.writeHead(sent.status, { 'Content-Type': 'application/json; charset=utf-8', ...sent.parts.headers });
      response.end(JSON.stringify(errorBody(sent)));
    }
  });
}

function requireToken(token: string | undefined, header: string | undefined): void {
  if (!token) throw errors.metricsClosed();
  const sent = /^Bearer\s+(.*)$/i.exec(header?.trim() ?? '')?.[1] ?? '';
  if (!timingSafeEqual(digest(sent), digest(token))) throw errors.metricsToken();
}

/** Always of the same length, so that the comparison takes constant time. */
const digest = (text: string) => createHash('sha256').update(text).digest();
