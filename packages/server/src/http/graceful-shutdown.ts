import { once } from 'node:events';
import { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { errors } from '@svc/contract';
import type { FastifyInstance } from 'fastify';

export type Stopping = {
  /** Takes no new connections, and serves those that are open until they end, or for so many seconds. */
  drain(seconds: number): Promise<void>;
  isDraining(): boolean;
};

/**
 * While the service stops it finishes what it has begun, takes nothing new, and asks callers to hang up. While it drains,
 * whoever still comes over an open connection is served: a balancer that finds no new connection goes to another node, but
 * must not send twice what it has sent already.
 */
export function stopGently(app: FastifyInstance): Stopping {
  let isDraining = false;
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  app.addHook('onRequest', async (request, reply) => {
    if (!isStopping || isDraining) return;
    reply.header('X-Request-ID', request.id);
    throw errors.stopping();
  });
  app.addHook('onSend', async (_request, reply) => {
    if (isDraining || isStopping) reply.header('Connection', 'close');
  });
  return {
    async drain(seconds) {
      isDraining = true;
      const ended = once(app.server, 'close');
      // Not the HTTP server's own close: that hangs up on idle connections, over which a request may be on its way.
      Server.prototype.close.call(app.server);
      await Promise.race([ended, sleep(seconds * 1000, undefined, { ref: false })]);
    },
    isDraining: () => isDraining || isStopping,
  };
}
