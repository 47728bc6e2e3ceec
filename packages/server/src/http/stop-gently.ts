import { errors } from '@svc/contract';
import type { FastifyInstance } from 'fastify';

/** While the service stops it finishes what it has begun, takes nothing new, and asks callers to hang up. */
export function stopGently(app: FastifyInstance): void {
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
    if (isStopping) reply.header('Connection', 'close');
  });
}
