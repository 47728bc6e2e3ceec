import type { AuditAction } from '@svc/contract';
import { type Actor, type AuditEvent, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import { updateTokensRevoked } from './account-token-store.ts';
import { updateLoginsEnded } from './cli-logins/cli-session-store.ts';
import { deleteCodesOf } from './oauth/oauth-code-store.ts';
import { updateSessionIds } from './sessions/session-store.ts';
import { type User, updateSuspension } from './user-store.ts';
import { deleteInvitationsBy } from './workspaces/invitation-store.ts';
import { findWorkspaceMember } from './workspaces/workspace-store.ts';

/** Ends all account tokens of the user, and the id tokens, CLI logins and codes of applications that could still lead to one. */
export async function revokeTokens(db: Queryable, userId: string, now: Date): Promise<void> {
  // First, because it waits for logins that are being completed, which have to end too.
  await updateSessionIds(db, userId);
  await updateLoginsEnded(db, userId, now);
  await deleteCodesOf(db, userId);
  await updateTokensRevoked(db, userId, now);
}

/** Ends what the user got with a role in a workspace: their tokens and the invitations they created. */
export async function revokeWorkspaceAccess(db: Queryable, userId: string, now: Date): Promise<void> {
  await revokeTokens(db, userId, now);
  await deleteInvitationsBy(db, userId);
}

/** Suspends the account. Its sessions and tokens end, and so do the invitations it created. */
export function revokeAccount(ctx: Context, user: User, actor: Actor): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    await updateSuspension(tx, user.id, ctx.now());
    await revokeWorkspaceAccess(tx, user.id, ctx.now());
    await insertAuditEvent(tx, await accountEvent(tx, user, 'account.suspended', actor), ctx.now());
  });
}

/** Lets the user of a suspended account sign in again. */
export function restoreAccess(ctx: Context, user: User, actor: Actor): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    if (user.suspendedAt === null) return;
    await updateSuspension(tx, user.id, null);
    await insertAuditEvent(tx, await accountEvent(tx, user, 'account.restored', actor), ctx.now());
  });
}

/** A change of the account, for the audit log of the workspace that it belongs to. */
export async function accountEvent(
  tx: Queryable,
  { id, name }: Pick<User, 'id' | 'name'>,
  action: AuditAction,
  actor: Actor,
): Promise<AuditEvent> {
  const workspaceId = (await findWorkspaceMember(tx, id))?.workspaceId ?? null;
  return { workspaceId, actor, action, subject: { type: 'account', id, name } };
}
