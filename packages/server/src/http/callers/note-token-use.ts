import type { FastifyInstance } from 'fastify';
import { updateTokenUsed } from '../../accounts/account-token-store.ts';
import type { Context } from '../../context.ts';

const COARSE_MS = 5 * 60_000;

/** Records when a token was last used, at most once in five minutes, and only after the request was answered. */
export function noteTokenUse(app: FastifyInstance, ctx: Context): void {
  app.addHook('onResponse', (request, reply, done) => {
    done();
    const { credential } = request;
    if (credential?.is !== 'account-token' || reply.statusCode >= 400) return;
    const { id, lastUsedAt } = credential.token;
    const [now, before] = [ctx.now(), new Date(ctx.now().getTime() - COARSE_MS)];
    if (lastUsedAt !== null && lastUsedAt > before) return;
    updateTokenUsed(ctx.db, id, now, before).catch((error) =>
      request.log.warn({ err: error, requestId: request.id }, 'Could not record the use of a token'),
    );
  });
}
