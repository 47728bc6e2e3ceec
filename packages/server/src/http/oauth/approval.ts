import { errors } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { createCode } from '../../accounts/oauth/create-code.ts';
import { hashSecretToken } from '../../accounts/secret-token.ts';
import { requireRecentProof } from '../callers/recent-proof.ts';
import { signedInUser } from '../callers/signed-in-user.ts';
import type { ServiceContext } from '../service-context.ts';
import { answerUrl, judgeAuthorization } from './authorization.ts';
import { clientAddressOf } from './oauth-client.ts';
import { APPROVE_PATH, resourceOf } from './oauth-metadata.ts';

/** Serves the approval of an application, to the page that asks the user. It takes a session that was proved recently. */
export function addApprovalRoute(app: FastifyInstance, ctx: ServiceContext): void {
  const resource = resourceOf(ctx.baseUrl);

  app.post(APPROVE_PATH, async (request, reply) => {
    const { user, actor } = await signedInUser(ctx, request);
    const { browserSession: session } = request;
    // A token must not lead to another one.
    if (!session) throw errors.notSignedIn();
    requireRecentProof(session, ctx.now());
    const judged = judgeAuthorization(ctx.linkSecret, resource, request.body ?? {});
    if (judged.kind !== 'asked') throw errors.authorizationInvalid();
    // In another tab, the session may have become someone else's.
    const { account } = (request.body ?? {}) as { account?: unknown };
    if (account !== undefined && account !== user.email) throw errors.otherAccount();
    const { clientId, client, redirectUri, challenge, scopes } = judged.request;
    const grant = {
      clientHash: hashSecretToken(clientId),
      clientName: client.name,
      clientAddress: clientAddressOf(redirectUri),
      audience: resource,
      scopes,
    };
    const code = await createCode(
      ctx,
      { userId: user.id, sessionId: session.id, grant, redirectUri, challenge },
      actor,
    );
    const data = { redirect_url: answerUrl(judged.request, { code }) };
    return reply.header('Cache-Control', 'no-store').send({ data });
  });
}
