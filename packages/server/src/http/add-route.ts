import type { Readable } from 'node:stream';
import type { RouteDefinition, SentReplyOf } from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';

/**
 * What a handler returns: the reply that its route declares, or a stream where that is a file. Nothing fits a route whose
 * reply the compiler does not know.
 */
export type HandlerReply<Route extends RouteDefinition> = Route extends { replyType: string }
  ? Readable
  : unknown extends SentReplyOf<Route>
    ? never
    : SentReplyOf<Route>;

/** Serves a declared route, at its path or at another one. A handler whose reply does not fit the declared one does not compile. */
export function addRoute<Route extends RouteDefinition>(
  app: FastifyInstance,
  definition: Route,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<HandlerReply<Route>>,
  path: string = definition.path,
): void {
  app.route({
    method: definition.method,
    url: path,
    config: { definition },
    ...(definition.maxBodyBytes !== undefined && { bodyLimit: definition.maxBodyBytes }),
    ...(definition.consumes && { exposeHeadRoute: false }),
    ...(definition.withoutRequestId && { onSend: withoutRequestId(definition.withoutRequestId) }),
    handler: (request, reply) => {
      reply.code(definition.success ?? 200);
      if (definition.consumes) reply.header('Cache-Control', 'no-store');
      return handler(request, reply);
    },
  });
}

/** Only this route's own hook, so that no other answer passes through it. */
function withoutRequestId(statuses: readonly number[]): onSendHookHandler {
  return (_request, reply, payload, done) => {
    if (statuses.includes(reply.statusCode)) reply.removeHeader('X-Request-ID');
    done(null, payload);
  };
}
