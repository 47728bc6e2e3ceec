import { ACCOUNT_TOKEN_PREFIX, errors } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import { addDays } from '../../time.ts';
import { insertAccountToken } from '../account-token-store.ts';
import { reportSecurityChange } from '../report-security-change.ts';
import { hashSecretToken, newSecretToken } from '../secret-token.ts';
import { findUserForShare } from '../user-store.ts';
import { findWorkspaceMember } from '../workspaces/workspace-store.ts';
import { type CliSession, findCliSession, updateConsumed } from './cli-session-store.ts';

const TOKEN_DAYS = 90;
const DEFAULT_NAME = 'svc login';

export type PolledCliLogin =
  | { status: 'pending' | 'expired' }
  | { status: 'complete'; token: string; email: string; workspaceId: number | null };

/** Returns the status of a login. The first poll after sign-in creates the token; only its hash is stored. */
export async function pollCliLogin(ctx: Context, state: string, requestId: string): Promise<PolledCliLogin> {
  const stateHash = hashSecretToken(state);
  const session = await findCliSession(ctx.db, stateHash);
  if (!session) throw errors.cliSessionNotFound();
  if (session.userId !== null) return handOutToken(ctx, stateHash, session, { userId: session.userId, requestId });
  return { status: session.expiresAt <= ctx.now() ? 'expired' : 'pending' };
}

function handOutToken(
  ctx: Context,
  stateHash: string,
  session: CliSession,
  actor: Actor & { userId: string },
): Promise<PolledCliLogin> {
  const { userId } = actor;
  const { token, hash } = newSecretToken(ACCOUNT_TOKEN_PREFIX);
  return ctx.db.transaction(async (tx) => {
    // A concurrent suspension waits for this transaction, and then ends the token too.
    const user = await findUserForShare(tx, userId);
    if (user?.suspendedAt) throw errors.accountBlocked();
    if (session.consumedAt) throw errors.cliSessionConsumed();
    if (session.expiresAt <= ctx.now()) return { status: 'expired' };
    if (!(await updateConsumed(tx, stateHash, ctx.now()))) throw errors.cliSessionConsumed();
    const name = session.deviceName ?? DEFAULT_NAME;
    const expiresAt = addDays(ctx.now(), TOKEN_DAYS);
    const id = await insertAccountToken(tx, { userId, hash, name, expiresAt }, ctx.now());
    const workspaceId = (await findWorkspaceMember(tx, userId))?.workspaceId ?? null;
    const subject = { type: 'token', id, name } as const;
    const after = { expires_at: expiresAt };
    await insertAuditEvent(tx, { workspaceId, actor, action: 'token.created', subject, after }, ctx.now());
    await reportSecurityChange(tx, ctx, userId, 'token_created', name);
    return { status: 'complete', token, email: user?.email ?? '', workspaceId };
  });
}
