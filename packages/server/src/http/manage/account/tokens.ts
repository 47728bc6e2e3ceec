import { errors, manageAddToken, manageRevokeToken, manageTokens } from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { listAccountTokens } from '../../../accounts/account-token-store.ts';
import { revokeToken } from '../../../accounts/change-account.ts';
import { createToken, type TokenCreator } from '../../../accounts/create-token.ts';
import type { Actor } from '../../../audit/audit-store.ts';
import { addRoute } from '../../add-route.ts';
import { bodyOf } from '../../body.ts';
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
      data: tokens.map(({ id, name, clientAddress, scopes, programId, createdAt, lastUsedAt, expiresAt }) => ({
        id,
        name: name ?? UNNAMED,
        client: clientAddress,
        scopes,
        program_id: programId,
        created_at: createdAt.toISOString(),
        last_used_at: lastUsedAt?.toISOString() ?? null,
        expires_at: expiresAt?.toISOString() ?? null,
        is_current: id === currentId,
      })),
    };
  });

  addRoute(app, manageAddToken, async (request) => {
    const { user, actor } = await signedInUser(ctx, request);
    const {
      name,
      scopes: wanted,
      expires_in_days: expiresInDays,
      program_id: programId,
    } = bodyOf(manageAddToken, request);
    const program =
      programId === undefined
        ? null
        : { id: programId, workspaceId: (await ctx.lookup.program(programId))?.workspaceId ?? null };
    const created = await createToken(
      ctx,
      user.id,
      { name, scopes: wanted, expiresInDays, program },
      creatorOf(request, actor),
    );
    const { id, token, scopes, expiresAt } = created;
    return {
      data: {
        ...{ id, name, client: null, scopes, program_id: programId ?? null },
        ...{ created_at: ctx.now().toISOString(), last_used_at: null, expires_at: expiresAt?.toISOString() ?? null },
        token,
      },
    };
  });

  addRoute(app, manageRevokeToken, async (request) => {
    const { user, actor } = await signedInUser(ctx, request);
    const wasRevoked = await revokeToken(ctx, user.id, idParam(request, 'token_id'), actor);
    if (!wasRevoked) throw errors.notFound();
    return { data: {} };
  });
}

/** Tokens with scopes do not get here: the route asks people to prove who they are. */
function creatorOf({ credential, browserSession }: FastifyRequest, actor: Actor): TokenCreator {
  if (browserSession) return { actor, sessionId: browserSession.id };
  if (credential.is !== 'account-token' || credential.token.scopes !== null || credential.token.expiresAt === null) {
    throw errors.tokenNeedsPerson();
  }
  return { actor, tokenId: credential.token.id, expiresAt: credential.token.expiresAt };
}

function tokenIdOf({ credential }: FastifyRequest): number | null {
  return credential.is === 'account-token' ? credential.token.id : null;
}
