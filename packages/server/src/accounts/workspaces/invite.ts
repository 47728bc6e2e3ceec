import { type AuditAction, errors, maskEmail, type WorkspaceRole } from '@svc/contract';
import { type Actor, type AuditEvent, insertAuditEvent } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import type { Queryable } from '../../db/db.ts';
import { queueMail } from '../../mail/queue-mail.ts';
import { mailedInviteUrl } from '../../mail/signed-link.ts';
import { addDays } from '../../time.ts';
import { revokeWorkspaceAccess } from '../revoke-access.ts';
import { newSecretToken } from '../secret-token.ts';
import {
  deleteInvitation,
  deleteInvitationsBeyond,
  deleteInvitationsBy,
  type Invitation,
  insertInvitation,
  updateInvitationToken,
} from './invitation-store.ts';
import { findMemberForUpdate, insertMember } from './workspace-store.ts';

const LIFETIME_DAYS = 7;

export type Invited = Pick<Invitation, 'workspaceId' | 'partnerId' | 'role' | 'email'> &
  Partial<Pick<Invitation, 'openLink' | 'replacesAccount'>> & {
    /** The user whose rights the invitation needs until it is accepted; null for the operator. */
    invitedBy: string | null;
  };
type InvitedMember = Omit<Invited, 'partnerId'>;
export type CreatedInvitation = { invitation: Invitation; token: string };
/** An invitation of which the link was mailed as well, unless something spoke against it. */
export type MailedInvitation = CreatedInvitation & { isMailed: boolean };

/** Invites someone to the team of a workspace, and mails them the link where the installation sends mail. */
export function inviteMember(ctx: Context, invited: InvitedMember, actor: Actor): Promise<MailedInvitation> {
  return ctx.db.transaction(async (tx) => {
    const created = await inviteMemberIn(tx, invited, actor, ctx.now());
    return { ...created, isMailed: await mailInvitation(tx, ctx, created, invited.invitedBy) };
  });
}

/** Invites someone to the team as part of a larger transaction. */
export async function inviteMemberIn(
  tx: Queryable,
  invited: InvitedMember,
  actor: Actor,
  now: Date,
): Promise<CreatedInvitation> {
  const created = await invite(tx, { ...invited, partnerId: null }, now);
  await insertAuditEvent(tx, invitationEvent(created.invitation, 'invitation.created', actor), now);
  return created;
}

/** Creates an invitation as part of a larger transaction. The token is returned only here; the store keeps its hash. */
export async function invite(db: Queryable, invited: Invited, now: Date): Promise<CreatedInvitation> {
  const { token, ...stored } = newInvitationToken(now);
  const choices = { openLink: invited.openLink ?? false, replacesAccount: invited.replacesAccount ?? false };
  return { invitation: await insertInvitation(db, { ...invited, ...choices, ...stored }, now), token };
}

async function mailInvitation(
  tx: Queryable,
  ctx: Context,
  { invitation, token }: CreatedInvitation,
  sentBy: string | null,
): Promise<boolean> {
  const { id, workspaceId, email, role, expiresAt } = invitation;
  if (!ctx.mail || email === '') return false;
  return queueMail(tx, ctx, {
    kind: 'team_invitation',
    // A link that replaces another one is mailed as well.
    cause: `${id} ${expiresAt.toISOString()}`,
    to: { address: email },
    workspaceId,
    sentBy,
    fields: { url: mailedInviteUrl(ctx.mail, token), role, expiresAt: expiresAt.toISOString() },
  });
}

/** Gives an open invitation to the workspace a new link, now from this owner; the previous one stops working immediately. */
export function reissueInvitation(
  ctx: Context,
  { workspaceId, invitationId, invitedBy }: InvitationOf & { invitedBy: string },
  actor: Actor,
): Promise<MailedInvitation> {
  const { token, ...stored } = newInvitationToken(ctx.now());
  return ctx.db.transaction(async (tx) => {
    const invitation = await updateInvitationToken(tx, workspaceId, invitationId, { ...stored, invitedBy });
    if (!invitation) throw errors.notFound();
    await insertAuditEvent(tx, invitationEvent(invitation, 'invitation.reissued', actor), ctx.now());
    const isMailed = await mailInvitation(tx, ctx, { invitation, token }, invitedBy);
    return { invitation, token, isMailed };
  });
}

/** Ends an open invitation to the workspace. */
export function revokeInvitation(
  ctx: Context,
  { workspaceId, invitationId }: InvitationOf,
  actor: Actor,
): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    const invitation = await deleteInvitation(tx, workspaceId, invitationId);
    if (!invitation) throw errors.notFound();
    await insertAuditEvent(tx, invitationEvent(invitation, 'invitation.revoked', actor), ctx.now());
  });
}

type InvitationOf = { workspaceId: number; invitationId: number };

function invitationEvent(invitation: Invitation, action: AuditAction, actor: Actor): AuditEvent {
  const { id, workspaceId, email, role, openLink } = invitation;
  const subject = { type: 'invitation', id, name: email === '' ? null : maskEmail(email) } as const;
  const facts = { role, open_link: openLink };
  return {
    workspaceId,
    actor,
    action,
    subject,
    ...(action === 'invitation.revoked' ? { before: facts } : { after: facts }),
  };
}

function newInvitationToken(now: Date) {
  const { token, hash } = newSecretToken('svc_inv_');
  return { token, tokenHash: hash, expiresAt: addDays(now, LIFETIME_DAYS) };
}

/** Moves the account into the workspace that invited it. A workspace in use never loses its last owner this way. */
export async function joinWorkspace(
  tx: Queryable,
  userId: string,
  { workspaceId, role }: { workspaceId: number; role: WorkspaceRole },
  actor: Actor,
  now: Date,
): Promise<void> {
  const current = await findMemberForUpdate(tx, userId);
  const stays = current?.workspaceId === workspaceId;
  if (current?.isLastOwner && current.isInUse && !(stays && role === 'owner')) throw errors.lastOwner();
  if (stays) await deleteInvitationsBeyond(tx, userId, role);
  // The empty workspace that every account starts with can be abandoned, and tokens for it gave access to nothing.
  if (current && !stays)
    await (current.isInUse ? revokeWorkspaceAccess(tx, userId, now) : deleteInvitationsBy(tx, userId));
  await insertMember(tx, { userId, workspaceId, role }, now);
  const subject = { type: 'member', id: userId, name: actor.name } as const;
  if (current?.isInUse && !stays) {
    const left = { action: 'member.left', before: { role: current.role } } as const;
    await insertAuditEvent(tx, { workspaceId: current.workspaceId, actor, subject, ...left }, now);
  }
  const before = stays ? { role: current.role } : {};
  await insertAuditEvent(tx, { workspaceId, actor, action: 'member.joined', subject, before, after: { role } }, now);
}
