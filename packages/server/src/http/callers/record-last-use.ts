import type { FastifyInstance, FastifyRequest } from 'fastify';
import { updateTokenUsed } from '../../accounts/account-token-store.ts';
import { updateSessionUsed } from '../../accounts/sessions/session-store.ts';
import type { Context } from '../../context.ts';

const COARSE_MS = 5 * 60_000;

/** Records when a token or a session was last used, at most once in five minutes, and only after the request was answered. */
export function recordLastUse(app: FastifyInstance, ctx: Context): void {
  app.addHook('onResponse', (request, reply, done) => {
    done();
    if (reply.statusCode >= 400) return;
    const [now, before] = [ctx.now(), new Date(ctx.now().getTime() - COARSE_MS)];
    recordUseOf(request, now, before)?.catch((error) =>
      request.log.warn({ err: error, requestId: request.id }, 'Could not record the use of a token or session'),
    );
  });

  function recordUseOf(
    { credential, browserSession }: FastifyRequest,
    now: Date,
    before: Date,
  ): Promise<void> | undefined {
    const isDue = (lastUsedAt: Date | null) => lastUsedAt === null || lastUsedAt <= before;
    if (credential?.is === 'account-token' || credential?.is === 'application-token') {
      return isDue(credential.token.lastUsedAt) ? updateTokenUsed(ctx.db, credential.token.id, now, before) : undefined;
    }
    if (!browserSession || !isDue(browserSession.lastUsedAt)) return undefined;
    return updateSessionUsed(ctx.db, browserSession.id, now, before);
  }
}
