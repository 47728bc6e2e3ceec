import { APPLICATION_SCOPES, errors, type TokenScope } from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findWorkspaceMember } from '../../accounts/workspaces/workspace-store.ts';
import type { Credential } from '../callers/credential.ts';
import type { LoadGuide } from '../docs/guide.ts';
import { resourceMetadataUrl, resourceOf } from '../oauth/oauth-metadata.ts';
import type { ServiceContext } from '../service-context.ts';
import { callRoutesAs } from './call-route.ts';
import { createDocResources } from './doc-resources.ts';
import type { ToolCalls } from './rehearse.ts';

export const MCP_PATH = '/mcp';

const [READ, WRITE] = APPLICATION_SCOPES;

/** Serves the tools for AI assistants, over streamable HTTP, to callers with a token of a terminal or of an application. */
export function addMcpRoute(
  app: FastifyInstance,
  ctx: ServiceContext,
  { version, toolCalls, guide }: { version: string; toolCalls: ToolCalls; guide: LoadGuide },
): void {
  const docs = createDocResources(ctx.baseUrl, guide);
  const challenge = `Bearer resource_metadata="${resourceMetadataUrl(ctx.baseUrl)}"`;

  app.post(MCP_PATH, async (request, reply) => {
    const { credential } = request;
    const caller = callerOf(credential, resourceOf(ctx.baseUrl));
    if (!caller) {
      // Tells a client where to sign its user in.
      reply.header('WWW-Authenticate', challenge);
      throw credential.is === 'absent' ? errors.notSignedIn() : errors.accountTokenInvalid();
    }
    // Batches have left the protocol. One request would start any number of calls at once.
    if (Array.isArray(request.body)) throw errors.bodyNotAnObject();
    const { tokenId, userId, scopes } = caller;
    if (!scopes.includes('read')) throw errors.tokenScope(READ);
    const isBrand = (await findWorkspaceMember(ctx.db, userId)) !== null;
    // Loaded with the first message: most installations never get one, and all of them should start quickly.
    const { answerMessage, isChange } = await import('./mcp-server.ts');
    if (!scopes.includes('write') && isChange(request.body)) {
      // Tells a client that it can ask its user for more (RFC 6750).
      reply.header(
        'WWW-Authenticate',
        `${challenge}, error="insufficient_scope", scope="${APPLICATION_SCOPES.join(' ')}"`,
      );
      throw caller.isApplication ? errors.scopeRequired() : errors.tokenScope(WRITE);
    }
    const calls = callRoutesAs(app, request, toolCalls);
    const toolCaller = { ...calls, tokenId, scopes, isBrand, version, docs, secret: ctx.linkSecret, now: ctx.now };
    const response = await answerMessage(toolCaller, toWebRequest(request, ctx.baseUrl), request.body);
    reply.code(response.status).header('Cache-Control', 'no-store');
    const type = response.headers.get('content-type');
    if (type) reply.type(type);
    return reply.send(await response.text());
  });
}

type Caller = { tokenId: number; userId: string; scopes: readonly TokenScope[]; isApplication: boolean };

/** Who calls, and what they may do. A token of an application has to be for this resource. */
function callerOf(credential: Credential, resource: string): Caller | null {
  if (credential.is !== 'account-token' && credential.is !== 'application-token') return null;
  const { id: tokenId, userId, audience, scopes } = credential.token;
  if (audience !== null && audience !== resource) return null;
  return { tokenId, userId, scopes: scopes ?? APPLICATION_SCOPES, isApplication: audience !== null };
}

function toWebRequest(request: FastifyRequest, baseUrl: string): Request {
  const headers = new Headers();
  for (const name of ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id']) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return new Request(`${baseUrl}${MCP_PATH}`, { method: 'POST', headers });
}
