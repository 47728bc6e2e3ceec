import { errors } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import { changedFields } from '../audit/changed-fields.ts';
import type { Context } from '../context.ts';
import { updateTokenRevoked } from './account-token-store.ts';
import { findUserForUpdate, type User, updateProfile } from './user-store.ts';
import { findWorkspaceMember } from './workspaces/workspace-store.ts';

/** Changes what is given. */
export function changeProfile(
  ctx: Context,
  userId: string,
  changes: { name?: string | undefined },
  actor: Actor,
): Promise<User> {
  return ctx.db.transaction(async (tx) => {
    const before = await findUserForUpdate(tx, userId);
    if (!before) throw errors.userNotFound();
    const user = await updateProfile(tx, userId, changes, ctx.now());
    const changed = changedFields(profileOf(before), profileOf(user));
    if (!changed) return user;
    const member = await findWorkspaceMember(tx, userId);
    const event = {
      workspaceId: member?.workspaceId ?? null,
      actor,
      action: 'account.profile_changed',
      subject: { type: 'account', id: userId, name: user.name },
      ...changed,
    } as const;
    await insertAuditEvent(tx, event, ctx.now());
    return user;
  });
}

const profileOf = ({ name }: User) => ({ name });

/** Ends one of the account's tokens; false when it has no such token that still works. */
export function revokeToken(ctx: Context, userId: string, tokenId: number, actor: Actor): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const token = await updateTokenRevoked(tx, userId, tokenId, ctx.now());
    if (!token) return false;
    const member = await findWorkspaceMember(tx, userId);
    const subject = { type: 'token', id: tokenId, name: token.name } as const;
    const workspaceId = member?.workspaceId ?? null;
    await insertAuditEvent(tx, { workspaceId, actor, action: 'token.revoked', subject }, ctx.now());
    return true;
  });
}
