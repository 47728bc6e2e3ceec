import { errors } from '@svc/contract';
import type { Context } from '../context.ts';
import { isUniqueViolation, type Queryable } from '../db/db.ts';
import {
  deletePartnerInvitations,
  findInvitationFacts,
  type Invitation,
  type InvitationFacts,
  insertInvitation,
  updateAccepted,
  updateInvitationToken,
} from './invitation-store.ts';
import { updatePartnerUser } from './partner-account-store.ts';
import { hashSecretToken, newSecretToken } from './secret-token.ts';
import { findMemberForUpdate, insertMember } from './workspace-store.ts';

const LIFETIME_MS = 7 * 86_400_000;

type Invited = Pick<Invitation, 'advertiserId' | 'partnerId' | 'role' | 'email'>;
export type MadeInvitation = { invitation: Invitation; token: string };

/** Makes an invitation; the token is returned this one time and kept as a hash. */
export function invite(ctx: Context, invited: Invited): Promise<MadeInvitation> {
  return inviteIn(ctx.db, invited, ctx.now());
}

/** Invites a partner anew; links made before stop with the same commit. */
export function invitePartnerAnew(ctx: Context, invited: Invited & { partnerId: number }): Promise<MadeInvitation> {
  return ctx.db.transaction(async (tx) => {
    await deletePartnerInvitations(tx, invited.advertiserId, invited.partnerId);
    return inviteIn(tx, invited, ctx.now());
  });
}

async function inviteIn(db: Queryable, invited: Invited, now: Date): Promise<MadeInvitation> {
  const { token, ...kept } = newInvitationToken(now);
  return { invitation: await insertInvitation(db, { ...invited, ...kept }, now), token };
}

/** Gives an open invitation into the workspace a new link; the one before it stops at once. */
export async function reissueInvitation(
  ctx: Context,
  advertiserId: number,
  invitationId: number,
): Promise<MadeInvitation> {
  const { token, ...kept } = newInvitationToken(ctx.now());
  const invitation = await updateInvitationToken(ctx.db, advertiserId, invitationId, kept);
  if (!invitation) throw errors.notFound();
  return { invitation, token };
}

function newInvitationToken(now: Date) {
  const { token, hash } = newSecretToken('svc_inv_');
  return { token, tokenHash: hash, expiresAt: new Date(now.getTime() + LIFETIME_MS) };
}

export type DescribedInvitation = InvitationFacts & { status: 'open' | 'used' | 'expired' };

/** What an invitation is about, for whoever holds its token. */
export async function describeInvitation(ctx: Context, token: string): Promise<DescribedInvitation> {
  const facts = await findInvitationFacts(ctx.db, hashSecretToken(token));
  if (!facts) throw errors.invitationGone();
  return { ...facts, status: facts.acceptedAt ? 'used' : facts.expiresAt <= ctx.now() ? 'expired' : 'open' };
}

/** Whether the token belongs to an invitation that can still be accepted. */
export async function isInvited(ctx: Context, token: string): Promise<boolean> {
  const facts = token === '' ? null : await findInvitationFacts(ctx.db, hashSecretToken(token));
  return facts !== null && facts.acceptedAt === null && facts.expiresAt > ctx.now();
}

/** Lets the account take what it was invited to: a place in the workspace, or the partner's own view. */
export async function acceptInvitation(ctx: Context, userId: string, token: string): Promise<Invitation> {
  return ctx.db.transaction(async (tx) => {
    const invitation = await updateAccepted(tx, hashSecretToken(token), ctx.now());
    if (!invitation) throw errors.invitationGone();
    const { advertiserId, partnerId, role } = invitation;
    if (role === 'partner') {
      await updatePartnerUser(tx, partnerId as number, userId).catch(refuseSecondPartner);
      return invitation;
    }
    const place = await findMemberForUpdate(tx, userId);
    const staysOwner = place?.advertiserId === advertiserId && role === 'owner';
    if (place?.isLastOwner && place.isInUse && !staysOwner) throw errors.lastOwner();
    await insertMember(tx, { userId, advertiserId, role }, ctx.now());
    return invitation;
  });
}

function refuseSecondPartner(error: unknown): never {
  throw isUniqueViolation(error) ? errors.conflict('This account is another partner of this brand already') : error;
}
