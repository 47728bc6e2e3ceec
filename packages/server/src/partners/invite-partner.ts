import { deletePartnerInvitations } from '../accounts/invitation-store.ts';
import { type CreatedInvitation, invite } from '../accounts/invite.ts';
import type { Context } from '../context.ts';

/** Invites a partner to create their own account, and revokes earlier invitations in the same transaction. */
export function invitePartner(
  ctx: Context,
  partner: { workspaceId: number; partnerId: number; email: string },
): Promise<CreatedInvitation> {
  return ctx.db.transaction(async (tx) => {
    await deletePartnerInvitations(tx, partner.workspaceId, partner.partnerId);
    return invite(tx, { ...partner, role: 'partner' }, ctx.now());
  });
}
