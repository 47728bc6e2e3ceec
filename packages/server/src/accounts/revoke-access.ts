import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import { updateTokensRevoked } from './account-token-store.ts';
import { updateLoginsEnded } from './cli-session-store.ts';
import { deleteInvitationsBy } from './invitation-store.ts';
import { updateSuspension } from './user-store.ts';

/** Ends all account tokens of the user, and CLI logins that are about to get one. */
export async function revokeTokens(db: Queryable, userId: string, now: Date): Promise<void> {
  await updateLoginsEnded(db, userId, now);
  await updateTokensRevoked(db, userId, now);
}

/** Ends what the user got with a role in a workspace: their tokens and the invitations they created. */
export async function revokeWorkspaceAccess(db: Queryable, userId: string, now: Date): Promise<void> {
  await revokeTokens(db, userId, now);
  await deleteInvitationsBy(db, userId);
}

/** Suspends the account. Its sessions and tokens end, and so do the invitations it created. */
export function revokeAccount(ctx: Context, userId: string): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    await updateSuspension(tx, userId, ctx.now());
    await revokeWorkspaceAccess(tx, userId, ctx.now());
  });
}
