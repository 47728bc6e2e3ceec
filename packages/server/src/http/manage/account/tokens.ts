import { errors, manageRevokeToken, manageTokens } from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { listAccountTokens } from '../../../accounts/account-token-store.ts';
import { revokeToken } from '../../../accounts/change-account.ts';
import { addRoute } from '../../add-route.ts';
import { signedInUser } from '../../callers/signed-in-user.ts';
import { idParam } from '../../id-param.ts';
import type { ServiceContext } from '../../service-context.ts';

/** The name shown for tokens that were created before tokens had names. */
const UNNAMED = 'svc login';

export function addManageTokenRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addRoute(app, manageTokens, async (request) => {
    const { user } = await signedInUser(ctx, request);
    const tokens = await listAccountTokens(ctx.db, user.id, ctx.now());
    const currentId = tokenIdOf(request);
    return {
      data: tokens.map(({ id, name, clientAddress, scopes, createdAt, lastUsedAt, expiresAt }) => ({
        id,
        name: name ?? UNNAMED,
        client: clientAddress,
        scopes,
        created_at: createdAt.toISOString(),
        last_used_at: lastUsedAt?.toISOString() ?? null,
        expires_at: expiresAt.toISOString(),
        is_current: id === currentId,
      })),
    };
  });

  addRoute(app, manageRevokeToken, async (request) => {
    const { user, actor } = await signedInUser(ctx, request);
    const wasRevoked = await revokeToken(ctx, user.id, idParam(request, 'token_id'), actor);
    if (!wasRevoked) throw errors.notFound();
    return { data: {} };
  });
}

function tokenIdOf({ credential }: FastifyRequest): number | null {
  return credential.is === 'account-token' ? credential.token.id : null;
}
