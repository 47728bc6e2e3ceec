import type { RouteDefinition } from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Serves a declared route; what the handler returns is the body of its success. */
export function addRoute(
  app: FastifyInstance,
  definition: RouteDefinition,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<object>,
): void {
  app.route({
    method: definition.method,
    url: definition.path,
    config: { definition },
    handler: (request, reply) => {
      reply.code(definition.success ?? 200);
      return handler(request, reply);
    },
  });
}
