import { randomInt } from 'node:crypto';
import { ACCOUNT_TOKEN_PREFIX, errors } from '@svc/contract';
import type { Context } from '../context.ts';
import { insertAccountToken } from './account-token-store.ts';
import { findCliSession, insertCliSession, updateConsumed, updateSignedIn } from './cli-session-store.ts';
import { createWorkspace } from './create-workspace.ts';
import { hashSecretToken, newSecretToken } from './secret-token.ts';
import { findUser, findUserByEmail, insertUser, type User } from './user-store.ts';
import type { Identity, IdTokenVerifier } from './verify-id-token.ts';
import { findMembership } from './workspace-store.ts';

const SESSION_MS = 5 * 60_000;
const TOKEN_MS = 90 * 86_400_000;
// Without letters and digits that people mix up.
const CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

export type StartedLogin = { state: string; userCode: string; expiresAt: Date };

/** Starts a login that somebody completes in a browser within five minutes. */
export async function startLogin(ctx: Context): Promise<StartedLogin> {
  const { token: state, hash } = newSecretToken('');
  const userCode = Array.from({ length: 8 }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]).join('');
  const toCodeReply = `${userCode.slice(0, 4)}-${userCode.slice(4)}`;
  const expiresAt = new Date(ctx.now().getTime() + SESSION_MS);
  await insertCliSession(ctx.db, { stateHash: hash, userCode: toCodeReply, expiresAt }, ctx.now());
  return { state, userCode: toCodeReply, expiresAt };
}

export type LoginPage = { status: 'open' | 'expired' | 'used' | 'unknown'; userCode: string | null };

/** What the sign-in page must know about a login before it asks anybody to sign in. */
export async function describeLogin(ctx: Context, state: string): Promise<LoginPage> {
  const session = await findCliSession(ctx.db, hashSecretToken(state));
  if (!session) return { status: 'unknown', userCode: null };
  if (session.userId !== null) return { status: 'used', userCode: null };
  if (session.expiresAt <= ctx.now()) return { status: 'expired', userCode: null };
  return { status: 'open', userCode: session.userCode };
}

/** Signs the login in as whoever the id token speaks for. */
export async function completeLogin(
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
  const known = await findUserByEmail(ctx.db, identity.email);
  if (known || ctx.signup === 'closed') return known;
  const user = await insertUser(ctx.db, identity, ctx.now());
  await createWorkspace(ctx, user);
  return user;
}

export type PolledLogin =
  | { status: 'pending' | 'expired' }
  | { status: 'complete'; token: string; email: string; workspaceId: number | null };

/** Tells how a login stands. The first poll after the sign-in gets the token; it is made only then, and kept as a hash. */
export async function pollLogin(ctx: Context, state: string): Promise<PolledLogin> {
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
    const expiresAt = new Date(ctx.now().getTime() + TOKEN_MS);
    await insertAccountToken(tx, { userId, hash, expiresAt }, ctx.now());
    return true;
  });
  if (!isFirst) throw errors.cliSessionConsumed();
  const [user, membership] = await Promise.all([findUser(ctx.db, userId), findMembership(ctx.db, userId)]);
  return { status: 'complete', token, email: user?.email ?? '', workspaceId: membership?.workspaceId ?? null };
}
