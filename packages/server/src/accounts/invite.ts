import { errors } from '@svc/contract';
import type { Context } from '../context.ts';
import { isUniqueViolation } from '../db/db.ts';
import { type Invitation, insertInvitation, updateAccepted } from './invitation-store.ts';
import { updatePartnerUser } from './partner-account-store.ts';
import { hashSecretToken, newSecretToken } from './secret-token.ts';
import { insertMember } from './workspace-store.ts';

const LIFETIME_MS = 7 * 86_400_000;

type Invited = Pick<Invitation, 'advertiserId' | 'partnerId' | 'role' | 'email'>;

/** Makes an invitation; the token is returned this one time and kept as a hash. */
export async function invite(ctx: Context, invited: Invited): Promise<{ invitation: Invitation; token: string }> {
  const { token, hash } = newSecretToken('svc_inv_');
  const expiresAt = new Date(ctx.now().getTime() + LIFETIME_MS);
  const invitation = await insertInvitation(ctx.db, { ...invited, expiresAt, tokenHash: hash }, ctx.now());
  return { invitation, token };
}

/** Lets the account take what it was invited to: a place in the workspace, or the partner's own view. */
export async function acceptInvitation(ctx: Context, userId: string, token: string): Promise<Invitation> {
  return ctx.db.transaction(async (tx) => {
    const invitation = await updateAccepted(tx, hashSecretToken(token), ctx.now());
    if (!invitation) throw errors.invitationGone();
    const { advertiserId, partnerId, role } = invitation;
    if (role === 'partner') await updatePartnerUser(tx, partnerId as number, userId).catch(refuseSecondPartner);
    else await insertMember(tx, { userId, advertiserId, role }, ctx.now());
    return invitation;
  });
}

function refuseSecondPartner(error: unknown): never {
  throw isUniqueViolation(error) ? errors.conflict('This account is another partner of this brand already') : error;
}
