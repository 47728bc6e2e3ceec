import { errors } from '@svc/contract';
import { insertAuditEvent } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import { connectOutsideSignIn } from '../connect-outside-sign-in.ts';
import { hashSecretToken } from '../secret-token.ts';
import { hasSessionForShare } from '../sessions/session-store.ts';
import { findUser } from '../user-store.ts';
import type { IdTokenVerifier } from '../verify-id-token.ts';
import { findWorkspaceMember } from '../workspaces/workspace-store.ts';
import { type CliSession, findCliSession, updateSignedIn } from './cli-session-store.ts';

type Login = {
  state: string;
  idToken: string;
  /** The code that the user typed. The sign-in page always sends it, so that nobody approves a terminal they do not see. */
  userCode?: string;
  requestId: string;
};

/** Completes the login as the user that the id token identifies. A login can be completed once. */
export async function completeCliLogin(
  ctx: Context & { verifyIdToken: IdTokenVerifier; signup: 'open' | 'closed' },
  login: Login,
): Promise<void> {
  const stateHash = hashSecretToken(login.state);
  const session = await findCliSession(ctx.db, stateHash);
  if (!session || session.userId !== null) throw errors.cliSessionUsed();
  if (session.expiresAt <= ctx.now()) throw errors.cliSessionExpired();
  if (login.userCode !== undefined && !isCodeOf(session, login.userCode)) throw errors.userCodeWrong();
  const identity = await ctx.verifyIdToken(login.idToken);
  if (!identity) throw errors.idTokenInvalid();
  const user =
    identity.from === 'here' ? await findUser(ctx.db, identity.userId) : await connectOutsideSignIn(ctx, identity);
  if (!user) throw errors.idTokenInvalid();
  if (user.suspendedAt) throw errors.accountBlocked();
  await ctx.db.transaction(async (tx) => {
    const isOver = identity.from === 'here' && !(await hasSessionForShare(tx, identity, ctx.now()));
    if (isOver) throw errors.idTokenInvalid();
    if (!(await updateSignedIn(tx, stateHash, user.id))) throw errors.cliSessionUsed();
    const member = await findWorkspaceMember(tx, user.id);
    const event = {
      workspaceId: member?.workspaceId ?? null,
      actor: { userId: user.id, name: user.name, requestId: login.requestId },
      action: 'token.approved',
      // The token does not exist yet, and the state of the login is a secret.
      subject: { type: 'token', id: '', name: session.deviceName },
    } as const;
    await insertAuditEvent(tx, event, ctx.now());
  });
}

/** Users may type the code in any case, with or without its hyphen. */
function isCodeOf({ userCode }: CliSession, typed: string): boolean {
  const lettersOf = (code: string) => code.toUpperCase().replace(/[^A-Z]/g, '');
  return lettersOf(typed) === lettersOf(userCode);
}
