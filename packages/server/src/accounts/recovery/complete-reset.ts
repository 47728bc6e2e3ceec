import { insertAuditEvent } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import { revokeTokens, revokeWorkspaceAccess } from '../revoke-access.ts';
import { findUserForUpdate, updateProven } from '../user-store.ts';

/**
 * What else happens when a password was reset by a link: the account's tokens end. Whoever got the link has proven the address.
 * If nobody had before, a stranger may have signed up with it, so what they left behind is cleared as well.
 */
export function completeReset(ctx: Context, userId: string): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    const user = await findUserForUpdate(tx, userId);
    if (!user) return;
    await revokeTokens(tx, userId, ctx.now());
    if (!user.emailVerified) {
      await revokeWorkspaceAccess(tx, userId, ctx.now());
      await updateProven(tx, userId, ctx.now());
    }
    const event = {
      workspaceId: null,
      actor: { userId, requestId: null },
      action: 'account.password_reset',
      subject: { type: 'account', id: userId },
    };
    await insertAuditEvent(tx, event, ctx.now());
  });
}
