import type { FastifyReply } from 'fastify';

/** Lets any page read the response, without credentials. The program decides whether the origin may report events. */
export function addCorsHeaders(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*');
  reply.header(
    'access-control-expose-headers',
    'X-Request-ID, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After',
  );
}

/** What clients of the tools that run in a browser call: a token is all that counts there, and cookies are not read. */
const FOR_BROWSER_CLIENTS = [/^\/mcp$/, /^\/oauth\/(?:token|register)$/, /^\/\.well-known\/oauth-/];

/** Whether pages of any site may call the path, with a token that they hold themselves. */
export const isForBrowserClients = (path: string) => FOR_BROWSER_CLIENTS.some((pattern) => pattern.test(path));

/** As `addCorsHeaders`, with what the protocol of the tools and OAuth say in headers. */
export function addClientCorsHeaders(reply: FastifyReply): void {
  addCorsHeaders(reply);
  reply.header(
    'Access-Control-Expose-Headers',
    'WWW-Authenticate, X-Request-ID, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After',
  );
}

export function addClientPreflightHeaders(reply: FastifyReply): void {
  addClientCorsHeaders(reply);
  reply.header('Access-Control-Allow-Methods', 'GET, POST');
  reply.header('Access-Control-Allow-Headers', 'Authorization, Content-Type, MCP-Protocol-Version, Mcp-Session-Id');
  reply.header('Access-Control-Max-Age', '86400');
}

export function addPreflightHeaders(reply: FastifyReply): void {
  addCorsHeaders(reply);
  reply.header('Access-Control-Allow-Methods', 'POST');
  reply.header('Access-Control-Allow-Headers', 'Content-Type, Authorization, X-Request-ID');
  reply.header('Access-Control-Max-Age', '86400');
}
