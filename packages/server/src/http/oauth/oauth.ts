import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { APPLICATION_TOKEN_DAYS, connectApplication } from '../../accounts/oauth/connect-application.ts';
import { hashSecretToken } from '../../accounts/secret-token.ts';
import type { ServiceContext } from '../service-context.ts';
import { addApprovalRoute } from './approval.ts';
import { isResource } from './authorization.ts';
import { clientIdOf, isClientName, isRedirectUri, MAX_NAME_CHARS, MAX_REDIRECT_URIS } from './oauth-client.ts';
import { oauthMetadata, REGISTER_PATH, resourceOf, TOKEN_PATH } from './oauth-metadata.ts';

const TOKEN_SECONDS = APPLICATION_TOKEN_DAYS * 86_400;
const FORM = 'application/x-www-form-urlencoded';
const text = z.string().min(1).max(4_000);

const registration = z.object({
  redirect_uris: z.array(z.string().refine(isRedirectUri)).min(1).max(MAX_REDIRECT_URIS),
  client_name: z
    .string()
    .trim()
    .max(MAX_NAME_CHARS)
    .refine(isClientName, { error: 'must not contain characters that cannot be seen' })
    .optional(),
});

const exchange = z.object({
  code: text,
  client_id: text,
  redirect_uri: text,
  code_verifier: z.string().regex(/^[A-Za-z0-9._~-]{43,128}$/),
});

/** Signs users of AI assistants in: discovery, registration of clients, and the exchange of codes for tokens. */
export function addOAuthRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  for (const [path, metadata] of Object.entries(oauthMetadata(ctx.baseUrl))) {
    app.get(path, async (_request, reply) => reply.header('Cache-Control', 'public, max-age=3600').send(metadata));
  }

  app.post(REGISTER_PATH, async (request, reply) => {
    const sent = registration.safeParse(request.body);
    if (!sent.success) {
      const isRedirect = sent.error.issues[0]?.path[0] === 'redirect_uris';
      return refuse(reply, isRedirect ? 'invalid_redirect_uri' : 'invalid_client_metadata', describe(sent.error));
    }
    const { redirect_uris: redirectUris, client_name: given } = sent.data;
    const name = given || 'MCP client';
    return reply
      .code(201)
      .headers(UNCACHED)
      .send({
        client_id: clientIdOf(ctx.linkSecret, { name, redirectUris }),
        client_id_issued_at: Math.floor(ctx.now().getTime() / 1000),
        client_name: name,
        redirect_uris: redirectUris,
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      });
  });

  addApprovalRoute(app, ctx);

  app.register((forms, _options, done) => {
    forms.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, parsed) =>
      parsed(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    forms.post(TOKEN_PATH, async (request, reply) => {
      const { grant_type: grantType } = (request.body ?? {}) as { grant_type?: unknown };
      if (grantType !== 'authorization_code') return refuse(reply, 'unsupported_grant_type');
      const sent = exchange.safeParse(request.body);
      if (!sent.success) return refuse(reply, 'invalid_request', describe(sent.error));
      const { code, client_id: clientId, redirect_uri: redirectUri, code_verifier: verifier } = sent.data;
      const clientHash = hashSecretToken(clientId);
      if (!isResource((request.body as { resource?: unknown }).resource, resourceOf(ctx.baseUrl))) {
        return refuse(reply, 'invalid_target');
      }
      const issued = await connectApplication(ctx, { code, clientHash, redirectUri, verifier }, request.id);
      if (!issued) return refuse(reply, 'invalid_grant', 'The code is wrong, expired or already used.');
      const scope = issued.scopes.join(' ');
      return reply
        .headers(UNCACHED)
        .send({ access_token: issued.token, token_type: 'Bearer', expires_in: TOKEN_SECONDS, scope });
    });
    done();
  });
}

const UNCACHED = { 'Cache-Control': 'no-store' };

/** Errors as RFC 6749 and RFC 7591 have them; the clients do not know those of this service. */
function refuse(reply: FastifyReply, error: string, description?: string): FastifyReply {
  return reply
    .code(400)
    .headers(UNCACHED)
    .send({ error, ...(description && { error_description: description }) });
}

const describe = ({ issues: [issue] }: z.ZodError) =>
  issue ? `${issue.path.join('.')}: ${issue.message}` : 'Invalid request';
