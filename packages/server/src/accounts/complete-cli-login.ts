import { errors } from '@svc/contract';
import type { Context } from '../context.ts';
import { findCliSession, updateSignedIn } from './cli-session-store.ts';
import { createWorkspace } from './create-workspace.ts';
import { hashSecretToken } from './secret-token.ts';
import { findUser, findUserByEmail, insertUser, type User } from './user-store.ts';
import type { Identity, IdTokenVerifier } from './verify-id-token.ts';

/** Signs the login in as the user that the id token identifies. A login can be completed once. */
export async function completeCliLogin(
  ctx: Context & { verifyIdToken: IdTokenVerifier; signup: 'open' | 'closed' },
  login: { state: string; idToken: string },
): Promise<void> {
  const stateHash = hashSecretToken(login.state);
  const session = await findCliSession(ctx.db, stateHash);
  if (!session || session.userId !== null) throw errors.cliSessionUsed();
  if (session.expiresAt <= ctx.now()) throw errors.cliSessionExpired();
  const identity = await ctx.verifyIdToken(login.idToken);
  const user = identity && (await findOrCreateUser(ctx, identity));
  if (!user) throw errors.idTokenInvalid();
  if (user.suspendedAt) throw errors.accountBlocked();
  if (!(await updateSignedIn(ctx.db, stateHash, user.id))) throw errors.cliSessionUsed();
}

async function findOrCreateUser(
  ctx: Context & { signup: 'open' | 'closed' },
  identity: Identity,
): Promise<User | null> {
  if (identity.from === 'here') return findUser(ctx.db, identity.userId);
  const existing = await findUserByEmail(ctx.db, identity.email);
  if (existing || ctx.signup === 'closed') return existing;
  const user = await insertUser(ctx.db, identity, ctx.now());
  await createWorkspace(ctx, user);
  return user;
}
