import type { FastifyReply } from 'fastify';

/** Lets any page read the response, without credentials. The program decides whether the origin may report events. */
export function addCorsHeaders(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*');
  reply.header(
    'access-control-expose-headers',
    'X-Request-ID, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After',
  );
}

export function addPreflightHeaders(reply: FastifyReply): void {
  addCorsHeaders(reply);
  reply.header('Access-Control-Allow-Methods', 'POST');
  reply.header('Access-Control-Allow-Headers', 'Content-Type, Authorization, X-Request-ID');
  reply.header('Access-Control-Max-Age', '86400');
}
