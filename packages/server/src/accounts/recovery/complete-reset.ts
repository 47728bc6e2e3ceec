import { insertAuditEvent } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import { updateMethodEnded } from '../../payout-methods/payout-method-store.ts';
import { deleteSecondFactors } from '../factors/second-factor-store.ts';
import { reportSecurityChange } from '../report-security-change.ts';
import { accountEvent, revokeTokens } from '../revoke-access.ts';
import { findUserForUpdate, updateProven } from '../user-store.ts';
import { deleteInvitationsBeyond } from '../workspaces/invitation-store.ts';
import { deleteDevicesOf, insertDevice } from './device-store.ts';
import { deleteResetLinks } from './reset-link-store.ts';

/**
 * What else happens when a password was reset by a link: the account's tokens and other links end. The person who got the link has
 * proven the address, and can sign in from where they are. If nobody had before, a stranger may have signed up with it, so what they left behind is cleared as well.
 */
export function completeReset(
  ctx: Context,
  { id: userId }: { id: string },
  { requestId, device }: { requestId: string | null; device: string },
): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    const user = await findUserForUpdate(tx, userId);
    if (!user) return;
    await revokeTokens(tx, userId, ctx.now());
    await deleteResetLinks(tx, userId);
    if (!user.emailVerified) {
      await deleteSecondFactors(tx, userId);
      // Invitations of partners stay: they give nobody access to the workspace, and many people may hold them.
      await deleteInvitationsBeyond(tx, userId, 'member');
      await deleteDevicesOf(tx, userId);
      await updateMethodEnded(tx, userId, ctx.now());
      await updateProven(tx, userId, ctx.now());
    }
    // Strangers who guess keep nobody out of a known device.
    await insertDevice(tx, userId, device, ctx.now());
    const actor = { userId, name: user.name, requestId };
    await insertAuditEvent(tx, await accountEvent(tx, user, 'account.password_reset', actor), ctx.now());
    await reportSecurityChange(tx, ctx, userId, 'password_reset');
  });
}
