import { errors, manageEndOtherSessions, manageEndSession, manageSessions } from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { deviceName } from '../../../accounts/recovery/device.ts';
import { revokeOtherSessions, revokeSession } from '../../../accounts/sessions/revoke-sessions.ts';
import { listSessions } from '../../../accounts/sessions/session-store.ts';
import { addRoute } from '../../add-route.ts';
import { signedInUser } from '../../callers/signed-in-user.ts';
import type { ServiceContext } from '../../service-context.ts';

export function addManageSessionRoutes(app: FastifyInstance, ctx: ServiceContext): void {
  addRoute(app, manageSessions, async (request) => {
    const { user } = await signedInUser(ctx, request);
    const sessions = await listSessions(ctx.db, user.id, ctx.now());
    return {
      data: sessions.map(({ id, userAgent, ipAddress, createdAt, lastUsedAt, expiresAt }) => ({
        id,
        device: deviceName(userAgent ?? ''),
        address: ipAddress || null,
        created_at: createdAt.toISOString(),
        last_used_at: lastUsedAt?.toISOString() ?? null,
        expires_at: expiresAt.toISOString(),
        is_current: id === request.browserSession?.id,
      })),
    };
  });

  addRoute(app, manageEndSession, async (request) => {
    const { user, actor } = await signedInUser(ctx, request);
    await revokeSession(ctx, user, sessionIdIn(request), actor);
    return { data: {} };
  });

  addRoute(app, manageEndOtherSessions, async (request) => {
    const { user, actor } = await signedInUser(ctx, request);
    const keptId = request.browserSession?.id ?? null;
    return { data: { ended: await revokeOtherSessions(ctx, user, keptId, actor) } };
  });
}

/** The session id in the path; anything that cannot be one is not found. */
function sessionIdIn(request: FastifyRequest): string {
  const { session_id: sessionId } = request.params as { session_id: string };
  if (!/^[\w-]{1,64}$/.test(sessionId)) throw errors.notFound();
  return sessionId;
}
