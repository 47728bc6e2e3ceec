import { errors } from '@svc/contract';
import type { FastifyInstance } from 'fastify';

export type Stopping = {
  /** Says to balancers that others should have the next requests, while it still serves whoever comes. */
  drain(): void;
  isDraining(): boolean;
};

/** While the service stops it finishes what it has begun, takes nothing new, and asks callers to hang up. */
export function stopGently(app: FastifyInstance): Stopping {
  let isDraining = false;
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  app.addHook('onRequest', async (request, reply) => {
    if (!isStopping) return;
    reply.header('X-Request-ID', request.id);
    throw errors.stopping();
  });
  app.addHook('onSend', async (_request, reply) => {
    if (isDraining || isStopping) reply.header('Connection', 'close');
  });
  return {
    drain: () => {
      isDraining = true;
    },
    isDraining: () => isDraining || isStopping,
  };
}
