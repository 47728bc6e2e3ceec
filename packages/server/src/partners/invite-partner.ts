import { errors } from '@svc/contract';
import { deletePartnerInvitations } from '../accounts/invitation-store.ts';
import { type CreatedInvitation, invite } from '../accounts/invite.ts';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { findPartnerRecipient } from '../mail/recipient-store.ts';
import { mailedInviteUrl } from '../mail/signed-link.ts';
import { findPartnerAccount } from './partner-account-store.ts';

export type InvitedPartner = {
  workspaceId: number;
  partnerId: number;
  email: string;
  /** The program in whose name they are invited. */
  programId?: number;
  openLink?: boolean;
  /** An owner has confirmed that the partner goes to another account. */
  replacesAccount?: boolean;
};

/**
 * Invites a partner to create their own account, and revokes earlier invitations in the same transaction. A partner who has
 * an account keeps it until the invitation is accepted, and is handed over only with a confirmation. Both are audited.
 */
export function invitePartner(ctx: Context, partner: InvitedPartner, actor: Actor): Promise<CreatedInvitation> {
  return ctx.db.transaction((tx) => invitePartnerIn(tx, ctx, partner, actor));
}

/** Invites a partner as part of a larger transaction. */
export async function invitePartnerIn(
  tx: Queryable,
  ctx: Context,
  partner: InvitedPartner,
  actor: Actor,
): Promise<CreatedInvitation> {
  const { workspaceId, partnerId } = partner;
  const now = ctx.now();
  const account = await findPartnerAccount(tx, partnerId);
  if (account !== null && !partner.replacesAccount) throw errors.partnerHasAccount();
  await deletePartnerInvitations(tx, workspaceId, partnerId);
  const replacesAccount = account !== null;
  const invited = { ...partner, replacesAccount, role: 'partner', invitedBy: actor.userId } as const;
  const created = await invite(tx, invited, now);
  const { id, openLink } = created.invitation;
  const event = {
    workspaceId,
    actor,
    action: replacesAccount ? 'partner.account_replacement_invited' : 'partner.invited',
    subject: { type: 'partner', id: partnerId },
    before: { user_id: account },
    after: { invitation_id: id, open_link: openLink },
  };
  await insertAuditEvent(tx, event, now);
  await mailInvitation(tx, ctx, partner, created);
  return created;
}

async function mailInvitation(
  tx: Queryable,
  ctx: Context,
  { workspaceId, partnerId, programId }: InvitedPartner,
  { invitation, token }: CreatedInvitation,
): Promise<void> {
  if (!ctx.mail || invitation.email === '') return;
  const partner = await findPartnerRecipient(tx, partnerId);
  const expiresAt = invitation.expiresAt.toISOString();
  await queueMail(tx, ctx, {
    kind: 'partner_invitation',
    cause: String(invitation.id),
    to: { address: invitation.email },
    workspaceId,
    ...(programId !== undefined && { programId }),
    fields: { url: mailedInviteUrl(ctx.mail, token), partnerName: partner?.name ?? '', expiresAt },
  });
}
