import { errors } from '@svc/contract';
import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import { addDays } from '../time.ts';
import { type Invitation, insertInvitation, updateInvitationToken } from './invitation-store.ts';
import { newSecretToken } from './secret-token.ts';
import { findMemberForUpdate, insertMember, type WorkspaceRole } from './workspace-store.ts';

const LIFETIME_DAYS = 7;

export type Invited = Pick<Invitation, 'workspaceId' | 'partnerId' | 'role' | 'email'>;
export type CreatedInvitation = { invitation: Invitation; token: string };

/** Creates an invitation. The token is returned only here; the store keeps its hash. */
export async function invite(db: Queryable, invited: Invited, now: Date): Promise<CreatedInvitation> {
  const { token, ...stored } = newInvitationToken(now);
  return { invitation: await insertInvitation(db, { ...invited, ...stored }, now), token };
}

/** Gives an open invitation to the workspace a new link; the previous one stops working immediately. */
export async function reissueInvitation(
  ctx: Context,
  workspaceId: number,
  invitationId: number,
): Promise<CreatedInvitation> {
  const { token, ...stored } = newInvitationToken(ctx.now());
  const invitation = await updateInvitationToken(ctx.db, workspaceId, invitationId, stored);
  if (!invitation) throw errors.notFound();
  return { invitation, token };
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
  const staysOwner = current?.workspaceId === workspaceId && role === 'owner';
  if (current?.isLastOwner && current.isInUse && !staysOwner) throw errors.lastOwner();
  await insertMember(tx, { userId, workspaceId, role }, now);
}
