import { errors, maskEmail } from '@svc/contract';
import { hashSecretToken } from '../../accounts/secret-token.ts';
import { updateVerified } from '../../accounts/user-store.ts';
import { type Invitation, updateAccepted } from '../../accounts/workspaces/invitation-store.ts';
import { joinWorkspace } from '../../accounts/workspaces/invite.ts';
import { type Actor, insertAuditEvent } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import { isUniqueViolation, type Queryable, type Transaction } from '../../db/db.ts';
import { retryOnConflict } from '../../db/retry-on-conflict.ts';
import { readInviteToken } from '../../mail/signed-link.ts';
import { createFirstLink } from '../links/create-first-link.ts';
import { findPartnerAccount, updatePartnerUser } from '../partner-account-store.ts';
import { listJoinedPrograms } from '../partner-details-store.ts';
import { acceptAgreements } from './accept-agreements.ts';
import { type Application, isJoinToken, joinProgram } from './join-program.ts';

export type Accepted = Pick<Invitation, 'workspaceId' | 'role'> & { status: 'applied' | 'active' };

/** The accepting account. */
export type Guest = { id: string; name: string; email: string; emailVerified: boolean; actor: Actor };

/**
 * Gives the account what it was invited to: a workspace role or access to the partner portal, with a first link. An invitation
 * works once.
 */
export async function acceptInvitation(
  ctx: Context,
  guest: Guest,
  token: string,
  application: Application,
): Promise<Accepted> {
  if (isJoinToken(token)) return { role: 'partner', ...(await joinProgram(ctx, guest, token, application)) };
  // The inviter may be leaving at this moment, which locks the same rows in another order.
  const { workspaceId, role } = await retryOnConflict(() =>
    ctx.db.transaction((tx) => accept(tx, ctx, guest, token, application)),
  );
  return { workspaceId, role, status: 'active' };
}

async function accept(
  tx: Transaction,
  ctx: Context,
  guest: Guest,
  given: string,
  application: Application,
): Promise<Invitation> {
  const now = ctx.now();
  const { token, isMailed } = readInviteToken(ctx.mail?.linkSecret, given);
  const invitation = await updateAccepted(tx, hashSecretToken(token), now);
  if (!invitation) throw errors.invitationGone();
  const { workspaceId, role } = invitation;
  if (!isFor(invitation, guest)) throw errors.invitationForOther(maskEmail(invitation.email));
  await requireProof(tx, ctx, invitation, guest, isMailed);
  if (role === 'partner') {
    await takePartner(tx, invitation, guest, now);
    await startPartner(tx, ctx, invitation.partnerId as number, guest, application);
  } else await joinWorkspace(tx, guest.id, { workspaceId, role }, guest.actor, now);
  return invitation;
}

/**
 * Where the installation sends mail, having the invited address is not enough: anyone can sign up with it. It is proven, or the
 * link is the one that was mailed there, which proves it.
 */
async function requireProof(
  tx: Queryable,
  ctx: Context,
  { email, openLink }: Invitation,
  guest: Guest,
  isMailed: boolean,
): Promise<void> {
  if (!ctx.mail || guest.emailVerified) return;
  if (!isMailed && !openLink) throw errors.addressUnproven();
  if (isMailed && isFor({ email, openLink: false }, guest)) await updateVerified(tx, guest.id, ctx.now());
}

/** Whether the account may accept the invitation: it has the invited address, or the inviter chose an open link. */
export function isFor({ email, openLink }: Pick<Invitation, 'email' | 'openLink'>, guest: { email: string }): boolean {
  return openLink || email.trim().toLowerCase() === guest.email.trim().toLowerCase();
}

/** Gives the partner to the account. Another account that has the partner loses it only if an owner confirmed that. */
async function takePartner(tx: Queryable, invitation: Invitation, guest: Guest, now: Date): Promise<void> {
  const partnerId = invitation.partnerId as number;
  const before = await findPartnerAccount(tx, partnerId);
  const isReplaced = before.userId !== null && before.userId !== guest.id;
  if (isReplaced && !invitation.replacesAccount) throw errors.partnerTaken();
  await updatePartnerUser(tx, partnerId, guest.id, now).catch(refuseSecondPartner);
  await insertAuditEvent(
    tx,
    {
      workspaceId: invitation.workspaceId,
      actor: guest.actor,
      action: isReplaced ? 'partner.account_replaced' : 'partner.invitation_accepted',
      subject: { type: 'partner', id: partnerId, name: before.name },
      before: { user_id: before.userId },
      after: { user_id: guest.id, invitation_id: invitation.id },
    },
    now,
  );
}

/** Everything that a new partner starts with, in each of their programs: the accepted agreement, and a first link. */
async function startPartner(
  tx: Transaction,
  ctx: Context,
  partnerId: number,
  guest: Guest,
  { agreements }: Application,
): Promise<void> {
  const joined = await listJoinedPrograms(tx, partnerId);
  await acceptAgreements(tx, { partnerId, userId: guest.id, joined }, agreements, ctx.now());
  for (const { programId } of joined) await createFirstLink(tx, ctx, { programId, partnerId });
}

function refuseSecondPartner(error: unknown): never {
  throw isUniqueViolation(error) ? errors.secondPartner() : error;
}
