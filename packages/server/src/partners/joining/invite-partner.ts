import { errors, type MailRefusal } from '@svc/contract';
import { deletePartnerInvitation, deletePartnerInvitations } from '../../accounts/workspaces/invitation-store.ts';
import { type CreatedInvitation, invite, type MailedInvitation } from '../../accounts/workspaces/invite.ts';
import { type Actor, insertAuditEvent } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import type { Queryable, Transaction } from '../../db/db.ts';
import { queueMailOrSayWhyNot } from '../../mail/queue-mail.ts';
import { mailedInviteUrl } from '../../mail/signed-link.ts';
import { findMailOpenings } from '../../programs/mail-opening-store.ts';
import type { Program } from '../../programs/program.ts';
import { findProgram } from '../../programs/program-store.ts';
import { describeOffer } from '../describe-offer.ts';
import { findPartnerAccount, type PartnerAccount } from '../partner-account-store.ts';
import { isSharedBeyond, type Partner } from '../partner-store.ts';

export type InvitedPartner = {
  workspaceId: number;
  /** The program in which it happens; the invitation is to the portal of all programs of the brand. */
  programId?: number;
  partnerId: number;
  email: string;
  openLink?: boolean | undefined;
  /** An owner has confirmed that the partner goes to another account. */
  replacesAccount?: boolean;
};

/**
 * Invites a partner to create their own account, and revokes earlier invitations in the same transaction. A partner who has
 * an account keeps it until the invitation is accepted, and is handed over only with a confirmation. Anyone with the link gets into all
 * programs of the partner, so a token for one program invites nobody who is in others.
 */
export function invitePartner(ctx: Context, partner: InvitedPartner, actor: Actor): Promise<MailedInvitation> {
  const { workspaceId, programId, partnerId } = partner;
  return ctx.db.transaction(async (tx) => {
    const created = await createPartnerInvitation(tx, ctx, partner, actor);
    const { id, openLink, replacesAccount } = created.invitation;
    const event = {
      workspaceId,
      programId,
      actor,
      action: replacesAccount ? 'partner.account_replacement_invited' : 'partner.invited',
      subject: { type: 'partner', id: partnerId, name: created.account.name },
      before: { user_id: created.account.userId },
      after: { invitation_id: id, open_link: openLink },
    } as const;
    await insertAuditEvent(tx, event, ctx.now());
    return created;
  });
}

type MailedOrNot = MailedInvitation & { mailRefusal: MailRefusal | null };

/** Creates the invitation as part of a larger change, and says whose the partner is now. */
export async function createPartnerInvitation(
  tx: Queryable,
  ctx: Context,
  partner: InvitedPartner,
  actor: Actor,
): Promise<MailedOrNot & { account: PartnerAccount }> {
  const { workspaceId, partnerId } = partner;
  const account = await findPartnerAccount(tx, partnerId);
  if (account.userId !== null && !partner.replacesAccount) throw errors.partnerHasAccount();
  if (await isSharedBeyond(tx, actor, partnerId)) throw errors.invitationShared();
  await deletePartnerInvitations(tx, workspaceId, partnerId);
  const replacesAccount = account.userId !== null;
  const invited = { ...partner, replacesAccount, role: 'partner', invitedBy: actor.userId } as const;
  const created = await invite(tx, invited, ctx.now());
  const mailRefusal = await mailInvitation(tx, ctx, { ...invited, partnerName: account.name ?? '' }, created);
  return { ...created, isMailed: mailRefusal === null && invited.email !== '', mailRefusal, account };
}

/**
 * Invites a partner without an account again, as a part of a transaction. Their earlier invitation is replaced only when the new one
 * is mailed, or where the installation sends no mail: nobody is left with a link that has stopped working.
 */
export async function inviteAgainIn(
  tx: Transaction,
  ctx: Context,
  partner: InvitedPartner,
  actor: Actor,
): Promise<MailedOrNot | MailRefusal | 'has_account' | 'shared'> {
  const { workspaceId, programId, partnerId } = partner;
  const account = await findPartnerAccount(tx, partnerId);
  if (account.userId !== null) return 'has_account';
  if (await isSharedBeyond(tx, actor, partnerId)) return 'shared';
  const invited = { ...partner, role: 'partner', invitedBy: actor.userId } as const;
  const created = await invite(tx, invited, ctx.now());
  const mailRefusal = await mailInvitation(tx, ctx, { ...invited, partnerName: account.name ?? '' }, created);
  const { id: invitationId } = created.invitation;
  if (mailRefusal !== null && mailRefusal !== 'mail_off') {
    await deletePartnerInvitation(tx, workspaceId, invitationId);
    return mailRefusal;
  }
  await deletePartnerInvitations(tx, workspaceId, partnerId, invitationId);
  const subject = { type: 'partner', id: partnerId, name: account.name } as const;
  const after = { invitation_id: invitationId, open_link: created.invitation.openLink };
  const event = { workspaceId, programId, actor, action: 'partner.invited', subject, after } as const;
  await insertAuditEvent(tx, event, ctx.now());
  return { ...created, isMailed: mailRefusal === null && invited.email !== '', mailRefusal };
}

/** Ends the open invitations of a partner. Those of one who is in other programs are not for a token of this one to end. */
export function revokePartnerInvitations(
  ctx: Context,
  { id: programId, workspaceId }: Pick<Program, 'id' | 'workspaceId'>,
  { id: partnerId, name }: Pick<Partner, 'id' | 'name'>,
  actor: Actor,
): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    await findPartnerAccount(tx, partnerId);
    if (await isSharedBeyond(tx, actor, partnerId)) throw errors.invitationShared();
    if ((await deletePartnerInvitations(tx, workspaceId, partnerId)) === 0) return;
    const subject = { type: 'partner', id: partnerId, name } as const;
    const action = 'partner.invitation_revoked';
    await insertAuditEvent(tx, { workspaceId, programId, actor, action, subject }, ctx.now());
  });
}

async function mailInvitation(
  tx: Queryable,
  ctx: Context,
  {
    workspaceId,
    programId,
    partnerId,
    invitedBy,
    partnerName,
  }: InvitedPartner & { invitedBy: string | null; partnerName: string },
  { invitation, token }: CreatedInvitation,
): Promise<MailRefusal | null> {
  if (!ctx.mail) return 'mail_off';
  if (invitation.email === '') return null;
  const expiresAt = invitation.expiresAt.toISOString();
  const program = programId === undefined ? null : await findProgram(tx, programId);
  const earnings = program ? await describeOffer(tx, ctx, { program, partnerId }) : undefined;
  const opening = program && (await findMailOpenings(tx, program.id)).invitation;
  return queueMailOrSayWhyNot(tx, ctx, {
    kind: 'partner_invitation',
    cause: String(invitation.id),
    to: { address: invitation.email },
    workspaceId,
    sentBy: invitedBy,
    ...(programId !== undefined && { programId }),
    fields: {
      url: mailedInviteUrl(ctx.mail, token),
      partnerName,
      expiresAt,
      ...(earnings && { earnings }),
      ...(opening && { opening }),
    },
  });
}
