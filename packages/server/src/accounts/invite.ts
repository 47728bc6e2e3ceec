import { errors } from '@svc/contract';
import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { mailedInviteUrl } from '../mail/signed-link.ts';
import { addDays } from '../time.ts';
import {
  deleteInvitationsBy,
  deleteOwnerInvitationsBy,
  type Invitation,
  insertInvitation,
  updateInvitationToken,
} from './invitation-store.ts';
import { revokeWorkspaceAccess } from './revoke-access.ts';
import { newSecretToken } from './secret-token.ts';
import { findMemberForUpdate, insertMember, type WorkspaceRole } from './workspace-store.ts';

const LIFETIME_DAYS = 7;

export type Invited = Pick<Invitation, 'workspaceId' | 'partnerId' | 'role' | 'email'> &
  Partial<Pick<Invitation, 'openLink' | 'replacesAccount'>> & {
    /** The user whose rights the invitation needs until it is accepted; null for the operator. */
    invitedBy: string | null;
  };
export type CreatedInvitation = { invitation: Invitation; token: string };

/** Creates an invitation. The token is returned only here; the store keeps its hash. */
export async function invite(db: Queryable, invited: Invited, now: Date): Promise<CreatedInvitation> {
  const { token, ...stored } = newInvitationToken(now);
  const choices = { openLink: invited.openLink ?? false, replacesAccount: invited.replacesAccount ?? false };
  return { invitation: await insertInvitation(db, { ...invited, ...choices, ...stored }, now), token };
}

/** Invites someone to the workspace, and mails them the link where the installation sends mail. */
export function inviteMember(ctx: Context, invited: Invited): Promise<CreatedInvitation> {
  return ctx.db.transaction(async (tx) => {
    const created = await invite(tx, invited, ctx.now());
    await mailInvitation(tx, ctx, created);
    return created;
  });
}

async function mailInvitation(tx: Queryable, ctx: Context, { invitation, token }: CreatedInvitation): Promise<void> {
  const { id, workspaceId, email, role, expiresAt } = invitation;
  if (!ctx.mail || email === '') return;
  await queueMail(tx, ctx, {
    kind: 'team_invitation',
    // A link that replaces another one is mailed as well.
    cause: `${id} ${expiresAt.toISOString()}`,
    to: { address: email },
    workspaceId,
    fields: { url: mailedInviteUrl(ctx.mail, token), role, expiresAt: expiresAt.toISOString() },
  });
}

/** Gives an open invitation to the workspace a new link, now from this owner; the previous one stops working immediately. */
export async function reissueInvitation(
  ctx: Context,
  { workspaceId, invitationId, invitedBy }: { workspaceId: number; invitationId: number; invitedBy: string },
): Promise<CreatedInvitation> {
  const { token, ...stored } = newInvitationToken(ctx.now());
  return ctx.db.transaction(async (tx) => {
    const invitation = await updateInvitationToken(tx, workspaceId, invitationId, { ...stored, invitedBy });
    if (!invitation) throw errors.notFound();
    await mailInvitation(tx, ctx, { invitation, token });
    return { invitation, token };
  });
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
  now: Date,
): Promise<void> {
  const current = await findMemberForUpdate(tx, userId);
  const stays = current?.workspaceId === workspaceId;
  if (current?.isLastOwner && current.isInUse && !(stays && role === 'owner')) throw errors.lastOwner();
  if (stays && role !== 'owner') await deleteOwnerInvitationsBy(tx, userId);
  // The empty workspace that every account starts with can be abandoned, and tokens for it gave access to nothing.
  if (current && !stays)
    await (current.isInUse ? revokeWorkspaceAccess(tx, userId, now) : deleteInvitationsBy(tx, userId));
  await insertMember(tx, { userId, workspaceId, role }, now);
}
