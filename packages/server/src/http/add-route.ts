import type { RouteDefinition } from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Serves a declared route; what the handler returns is the body of a 200. */
export function addRoute(
  app: FastifyInstance,
  definition: RouteDefinition,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<object>,
): void {
  app.route({ method: definition.method, url: definition.path, config: { definition }, handler });
}
