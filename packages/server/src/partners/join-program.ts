import { errors } from '@svc/contract';
import { findUser } from '../accounts/user-store.ts';
import type { Context } from '../context.ts';
import { findJoinableProgram, insertJoiningPartner, insertMembership, type JoinableProgram } from './joining-store.ts';

/** Whether the token is from a program's join link, and not from an invitation. */
export function isJoinToken(token: string): boolean {
  return token.startsWith('svc_join_');
}

export async function requireJoinableProgram(ctx: Context, token: string): Promise<JoinableProgram> {
  const program = await findJoinableProgram(ctx.db, token);
  if (!program) throw errors.joiningClosed();
  return program;
}

/** Makes the account a partner of the program, or an applicant. Repeated calls return the current status. */
export async function joinProgram(
  ctx: Context,
  userId: string,
  token: string,
): Promise<{ workspaceId: number; status: 'applied' | 'active' }> {
  const { id: programId, workspaceId, needsApproval } = await requireJoinableProgram(ctx, token);
  const user = await findUser(ctx.db, userId);
  if (!user) throw errors.notSignedIn();
  return ctx.db.transaction(async (tx) => {
    const partnerId = await insertJoiningPartner(tx, workspaceId, user, ctx.now());
    // E-mail addresses are not verified, so an account cannot take over the partner that the brand added with the same one.
    if (partnerId === null) throw errors.partnerKnown();
    const newStatus = needsApproval ? 'applied' : 'active';
    const status = await insertMembership(tx, { programId, partnerId, status: newStatus }, ctx.now());
    if (status === 'blocked' || status === 'removed') throw errors.membershipEnded();
    return { workspaceId, status };
  });
}
