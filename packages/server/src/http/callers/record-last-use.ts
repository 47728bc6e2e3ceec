import type { FastifyInstance, FastifyRequest } from 'fastify';
import { updateTokenUsed } from '../../accounts/account-token-store.ts';
import { updateSessionUsed } from '../../accounts/sessions/session-store.ts';
import type { Context } from '../../context.ts';
import type { ProgramKey } from '../../programs/api-key.ts';
import { updateKeyUsed } from '../../programs/api-key-store.ts';

const COARSE_MS = 5 * 60_000;
/** Keys are used by servers, with every sale. */
const COARSE_KEY_MS = 60 * 60_000;

type Use = { lastUsedAt: Date | null };

/**
 * Records when a token or a session was last used, at most once in five minutes, and a program key at most once an hour, and only
 * after the request was answered.
 */
export function recordLastUse(app: FastifyInstance, ctx: Context): void {
  app.addHook('onResponse', (request, reply, done) => {
    done();
    recordUseOf(request, request.refusedWith ?? reply.statusCode, ctx.now())?.catch((error) =>
      request.log.warn({ err: error, requestId: request.id }, 'Could not record the use of a credential'),
    );
  });

  function recordUseOf(
    { credential, browserSession }: FastifyRequest,
    status: number,
    now: Date,
  ): Promise<void> | undefined {
    if (credential?.is === 'program-key' && !credential.token) return recordUseOfKey(credential.key, status, now);
    if (status >= 400) return undefined;
    const before = new Date(now.getTime() - COARSE_MS);
    const token = credential && 'token' in credential ? credential.token : undefined;
    if (token) return isDue(token, before) ? updateTokenUsed(ctx.db, token.id, now, before) : undefined;
    if (!browserSession || !isDue(browserSession, before)) return undefined;
    return updateSessionUsed(ctx.db, browserSession.id, now, before);
  }

  /** A server that sends a sale twice uses its key too, although the second answer is a refusal. */
  function recordUseOfKey(key: ProgramKey, status: number, now: Date): Promise<void> | undefined {
    const before = new Date(now.getTime() - COARSE_KEY_MS);
    if (status === 401 || status === 429 || !isDue(key, before)) return undefined;
    // The key is cached: requests that follow at once do not ask the store again.
    key.lastUsedAt = now;
    return updateKeyUsed(ctx.db, key, now, before);
  }
}

const isDue = ({ lastUsedAt }: Use, before: Date) => lastUsedAt === null || lastUsedAt <= before;
