import { errors } from '@svc/contract';
import type { Context } from '../context.ts';
import { isUniqueViolation, type Queryable } from '../db/db.ts';
import { isJoinToken, joinProgram, programToJoin } from '../partners/join-program.ts';
import { findProgramToJoin } from '../partners/joining-store.ts';
import { updatePartnerUser } from '../partners/partner-account-store.ts';
import {
  deletePartnerInvitations,
  findInvitationFacts,
  type Invitation,
  type InvitationFacts,
  insertInvitation,
  updateAccepted,
  updateInvitationToken,
} from './invitation-store.ts';
import { hashSecretToken, newSecretToken } from './secret-token.ts';
import { findMemberForUpdate, insertMember } from './workspace-store.ts';

const LIFETIME_MS = 7 * 86_400_000;

type Invited = Pick<Invitation, 'workspaceId' | 'partnerId' | 'role' | 'email'>;
export type CreatedInvitation = { invitation: Invitation; token: string };

/** Makes an invitation; the token is returned this one time and kept as a hash. */
export function invite(ctx: Context, invited: Invited): Promise<CreatedInvitation> {
  return inviteIn(ctx.db, invited, ctx.now());
}

/** Invites a partner anew; links made before stop with the same commit. */
export function invitePartnerAnew(ctx: Context, invited: Invited & { partnerId: number }): Promise<CreatedInvitation> {
  return ctx.db.transaction(async (tx) => {
    await deletePartnerInvitations(tx, invited.workspaceId, invited.partnerId);
    return inviteIn(tx, invited, ctx.now());
  });
}

async function inviteIn(db: Queryable, invited: Invited, now: Date): Promise<CreatedInvitation> {
  const { token, ...kept } = newInvitationToken(now);
  return { invitation: await insertInvitation(db, { ...invited, ...kept }, now), token };
}

/** Gives an open invitation into the workspace a new link; the one before it stops at once. */
export async function reissueInvitation(
  ctx: Context,
  workspaceId: number,
  invitationId: number,
): Promise<CreatedInvitation> {
  const { token, ...kept } = newInvitationToken(ctx.now());
  const invitation = await updateInvitationToken(ctx.db, workspaceId, invitationId, kept);
  if (!invitation) throw errors.notFound();
  return { invitation, token };
}

function newInvitationToken(now: Date) {
  const { token, hash } = newSecretToken('svc_inv_');
  return { token, tokenHash: hash, expiresAt: new Date(now.getTime() + LIFETIME_MS) };
}

export type DescribedInvitation = Pick<InvitationFacts, 'role' | 'workspace' | 'programs'> & {
  status: 'open' | 'used' | 'expired';
  email: string | null;
  expiresAt: Date | null;
  needsApproval: boolean;
};

/** What an invitation, or the link to a program, is about, for whoever holds its token. */
export async function describeInvitation(ctx: Context, token: string): Promise<DescribedInvitation> {
  if (isJoinToken(token)) {
    const { workspace, name, needsApproval } = await programToJoin(ctx, token);
    return {
      status: 'open',
      role: 'partner',
      email: null,
      workspace,
      programs: [name],
      needsApproval,
      expiresAt: null,
    };
  }
  const facts = await findInvitationFacts(ctx.db, hashSecretToken(token));
  if (!facts) throw errors.invitationGone();
  const status = facts.acceptedAt ? 'used' : facts.expiresAt <= ctx.now() ? 'expired' : 'open';
  return { ...facts, status, needsApproval: false };
}

/** Whether the token belongs to an invitation that can still be accepted, or to a program that can be joined. */
export async function isInvited(ctx: Context, token: string): Promise<boolean> {
  if (isJoinToken(token)) return (await findProgramToJoin(ctx.db, token)) !== null;
  const facts = token === '' ? null : await findInvitationFacts(ctx.db, hashSecretToken(token));
  return facts !== null && facts.acceptedAt === null && facts.expiresAt > ctx.now();
}

export type Accepted = Pick<Invitation, 'workspaceId' | 'role'> & { status: 'applied' | 'active' };

/** Lets the account take what it was invited to: a place in the workspace, or the partner's own view. */
export async function acceptInvitation(ctx: Context, userId: string, token: string): Promise<Accepted> {
  if (isJoinToken(token)) return { role: 'partner', ...(await joinProgram(ctx, userId, token)) };
  return { ...(await takeInvitation(ctx, userId, token)), status: 'active' };
}

async function takeInvitation(ctx: Context, userId: string, token: string): Promise<Invitation> {
  return ctx.db.transaction(async (tx) => {
    const invitation = await updateAccepted(tx, hashSecretToken(token), ctx.now());
    if (!invitation) throw errors.invitationGone();
    const { workspaceId, partnerId, role } = invitation;
    if (role === 'partner') {
      await updatePartnerUser(tx, partnerId as number, userId).catch(refuseSecondPartner);
      return invitation;
    }
    const place = await findMemberForUpdate(tx, userId);
    const staysOwner = place?.workspaceId === workspaceId && role === 'owner';
    if (place?.isLastOwner && place.isInUse && !staysOwner) throw errors.lastOwner();
    await insertMember(tx, { userId, workspaceId, role }, ctx.now());
    return invitation;
  });
}

function refuseSecondPartner(error: unknown): never {
  throw isUniqueViolation(error) ? errors.secondPartner() : error;
}
