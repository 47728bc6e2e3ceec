import { errors } from '@svc/contract';
import { type Invitation, updateAccepted } from '../accounts/invitation-store.ts';
import { joinWorkspace } from '../accounts/invite.ts';
import { hashSecretToken } from '../accounts/secret-token.ts';
import type { Context } from '../context.ts';
import { isUniqueViolation } from '../db/db.ts';
import { isJoinToken, joinProgram } from './join-program.ts';
import { updatePartnerUser } from './partner-account-store.ts';

export type Accepted = Pick<Invitation, 'workspaceId' | 'role'> & { status: 'applied' | 'active' };

/** Gives the account what it was invited to: a workspace role or access to the partner portal. An invitation works once. */
export async function acceptInvitation(ctx: Context, userId: string, token: string): Promise<Accepted> {
  if (isJoinToken(token)) return { role: 'partner', ...(await joinProgram(ctx, userId, token)) };
  const { workspaceId, role } = await ctx.db.transaction(async (tx) => {
    const invitation = await updateAccepted(tx, hashSecretToken(token), ctx.now());
    if (!invitation) throw errors.invitationGone();
    const { workspaceId, partnerId, role } = invitation;
    if (role === 'partner') await updatePartnerUser(tx, partnerId as number, userId).catch(refuseSecondPartner);
    else await joinWorkspace(tx, userId, { workspaceId, role }, ctx.now());
    return invitation;
  });
  return { workspaceId, role, status: 'active' };
}

function refuseSecondPartner(error: unknown): never {
  throw isUniqueViolation(error) ? errors.secondPartner() : error;
}
