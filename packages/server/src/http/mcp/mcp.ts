import { errors } from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findWorkspaceMember } from '../../accounts/workspace-store.ts';
import { resourceMetadataUrl } from '../oauth/oauth-metadata.ts';
import type { ServiceContext } from '../service-context.ts';
import { callRouteAs } from './call-route.ts';

export const MCP_PATH = '/mcp';

/** Serves the tools for AI assistants, over streamable HTTP, to callers with an account token. */
export function addMcpRoute(app: FastifyInstance, ctx: ServiceContext, version: string): void {
  const challenge = `Bearer resource_metadata="${resourceMetadataUrl(ctx.baseUrl)}"`;

  app.post(MCP_PATH, async (request, reply) => {
    const { credential } = request;
    if (credential.is !== 'account-token') {
      // Tells a client where to sign its user in.
      reply.header('WWW-Authenticate', challenge);
      throw credential.is === 'absent' ? errors.notSignedIn() : errors.accountTokenInvalid();
    }
    // Batches have left the protocol. One request would start any number of calls at once.
    if (Array.isArray(request.body)) throw errors.bodyNotAnObject();
    const { id: tokenId, userId } = credential.token;
    const isBrand = (await findWorkspaceMember(ctx.db, userId)) !== null;
    // Loaded with the first message: most installations never get one, and all of them should start quickly.
    const { answerMessage } = await import('./mcp-server.ts');
    const call = callRouteAs(app, request);
    const caller = { call, tokenId, isBrand, version, secret: ctx.linkSecret, now: ctx.now };
    const response = await answerMessage(caller, toWebRequest(request, ctx.baseUrl), request.body);
    reply.code(response.status).header('Cache-Control', 'no-store');
    const type = response.headers.get('content-type');
    if (type) reply.type(type);
    return reply.send(await response.text());
  });
}

function toWebRequest(request: FastifyRequest, baseUrl: string): Request {
  const headers = new Headers();
  for (const name of ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id']) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return new Request(`${baseUrl}${MCP_PATH}`, { method: 'POST', headers });
}
