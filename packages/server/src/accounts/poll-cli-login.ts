import { ACCOUNT_TOKEN_PREFIX, errors } from '@svc/contract';
import type { Context } from '../context.ts';
import { addDays } from '../time.ts';
import { insertAccountToken } from './account-token-store.ts';
import { findCliSession, updateConsumed } from './cli-session-store.ts';
import { hashSecretToken, newSecretToken } from './secret-token.ts';
import { findUser } from './user-store.ts';
import { findWorkspaceMember } from './workspace-store.ts';

const TOKEN_DAYS = 90;

export type PolledCliLogin =
  | { status: 'pending' | 'expired' }
  | { status: 'complete'; token: string; email: string; workspaceId: number | null };

/** Returns the status of a login. The first poll after sign-in creates the token; only its hash is stored. */
export async function pollCliLogin(ctx: Context, state: string): Promise<PolledCliLogin> {
  const stateHash = hashSecretToken(state);
  const session = await findCliSession(ctx.db, stateHash);
  if (!session) throw errors.cliSessionNotFound();
  if (session.consumedAt) throw errors.cliSessionConsumed();
  if (session.expiresAt <= ctx.now()) return { status: 'expired' };
  if (session.userId === null) return { status: 'pending' };
  const { userId } = session;
  const { token, hash } = newSecretToken(ACCOUNT_TOKEN_PREFIX);
  const isFirst = await ctx.db.transaction(async (tx) => {
    if (!(await updateConsumed(tx, stateHash, ctx.now()))) return false;
    await insertAccountToken(tx, { userId, hash, expiresAt: addDays(ctx.now(), TOKEN_DAYS) }, ctx.now());
    return true;
  });
  if (!isFirst) throw errors.cliSessionConsumed();
  const [user, membership] = await Promise.all([findUser(ctx.db, userId), findWorkspaceMember(ctx.db, userId)]);
  return { status: 'complete', token, email: user?.email ?? '', workspaceId: membership?.workspaceId ?? null };
}
