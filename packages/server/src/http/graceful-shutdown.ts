import { once } from 'node:events';
import { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { errors } from '@svc/contract';
import type { FastifyInstance } from 'fastify';

export type Stopping = {
  /** Stops accepting connections, and serves the open ones until they close or the time is up. */
  drain(seconds: number): Promise<void>;
  isDraining(): boolean;
};

/**
 * While the service stops, it finishes the requests in flight, refuses new ones and asks callers to close their
 * connections. While it drains, requests over open connections are still served: a load balancer that gets no new
 * connection moves on to another node, but must not repeat a request that it has already sent.
 */
export function stopGently(app: FastifyInstance): Stopping {
  let isDraining = false;
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (!isStopping || isDraining) return done();
    reply.header('X-Request-ID', request.id);
    done(errors.stopping());
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isDraining || isStopping) reply.header('Connection', 'close');
    done(null, payload);
  });
  return {
    async drain(seconds) {
      isDraining = true;
      const ended = once(app.server, 'close');
      // Not the HTTP server's own close, which drops idle connections that may have a request on the way.
      Server.prototype.close.call(app.server);
      await Promise.race([ended, sleep(seconds * 1000, undefined, { ref: false })]);
    },
    isDraining: () => isDraining || isStopping,
  };
}
