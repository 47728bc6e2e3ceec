import { errors } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import { changedFields } from '../audit/changed-fields.ts';
import type { Context } from '../context.ts';
import { updateTokenRevoked } from './account-token-store.ts';
import { findUserForUpdate, type User, updateProfile } from './user-store.ts';
import { findWorkspaceMember } from './workspaces/workspace-store.ts';

/** Changes what is given. The audit log says that the payout details changed, without saying what they are. */
export function changeProfile(
  ctx: Context,
  userId: string,
  changes: { name?: string | undefined; payoutDetails?: string | null | undefined },
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
      before: masked(changed.before),
      after: masked(changed.after),
    } as const;
    await insertAuditEvent(tx, event, ctx.now());
    return user;
  });
}

const profileOf = ({ name, payoutDetails }: User) => ({ name, payoutDetails });

/** Payout details may contain an account number: only their end is shown, and of short ones nothing. */
function masked({ payout_details: details, ...others }: Record<string, unknown>): Record<string, unknown> {
  if (details === undefined) return others;
  return { ...others, payout_details: typeof details === 'string' ? maskEnd(details) : null };
}

const maskEnd = (text: string) => `****${text.length > 12 ? text.slice(-4) : ''}`;

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
