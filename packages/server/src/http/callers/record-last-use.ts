import type { FastifyInstance, FastifyRequest } from 'fastify';
import { updateTokenUsed } from '../../accounts/account-token-store.ts';
import { updateSessionUsed } from '../../accounts/sessions/session-store.ts';
import type { Context } from '../../context.ts';

const COARSE_MS = 5 * 60_000;

type Used<Id> = { id: Id; lastUsedAt: Date | null };

/** Records when a token or a session was last used, at most once in five minutes, and only after the request was answered. */
export function recordLastUse(app: FastifyInstance, ctx: Context): void {
  app.addHook('onResponse', (request, reply, done) => {
    done();
    if (reply.statusCode >= 400) return;
    recordUseOf(request)?.catch((error) =>
      request.log.warn({ err: error, requestId: request.id }, 'Could not record the use of a token or session'),
    );
  });

  function recordUseOf({ credential, browserSession }: FastifyRequest): Promise<void> | undefined {
    if (credential?.is === 'account-token' || credential?.is === 'application-token') {
      return record(credential.token, updateTokenUsed);
    }
    return browserSession ? record(browserSession, updateSessionUsed) : undefined;
  }

  function record<Id>(
    { id, lastUsedAt }: Used<Id>,
    update: (db: Context['db'], id: Id, now: Date, before: Date) => Promise<void>,
  ): Promise<void> | undefined {
    const now = ctx.now();
    const before = new Date(now.getTime() - COARSE_MS);
    return lastUsedAt === null || lastUsedAt <= before ? update(ctx.db, id, now, before) : undefined;
  }
}
