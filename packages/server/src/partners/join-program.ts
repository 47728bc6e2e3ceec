import { errors } from '@svc/contract';
import { findUser } from '../accounts/user-store.ts';
import type { Context } from '../context.ts';
import { findProgramToJoin, insertOwnMembership, insertOwnPartner, type OpenProgram } from './joining-store.ts';

/** Whether the token is what the link to a program ends in, and not that of an invitation. */
export function isJoinToken(token: string): boolean {
  return token.startsWith('svc_join_');
}

export async function programToJoin(ctx: Context, token: string): Promise<OpenProgram> {
  const program = await findProgramToJoin(ctx.db, token);
  if (!program) throw errors.joiningClosed();
  return program;
}

/** Makes the account a partner of the program, or lets it apply. Repeated, it tells where the application stands. */
export async function joinProgram(
  ctx: Context,
  userId: string,
  token: string,
): Promise<{ workspaceId: number; status: 'applied' | 'active' }> {
  const { id: programId, workspaceId, needsApproval } = await programToJoin(ctx, token);
  const user = await findUser(ctx.db, userId);
  if (!user) throw errors.notSignedIn();
  return ctx.db.transaction(async (tx) => {
    const partnerId = await insertOwnPartner(tx, workspaceId, user, ctx.now());
    // Addresses are not proven, so an account does not become a partner that the brand made, only because it says so.
    if (partnerId === null) throw errors.partnerKnown();
    const wanted = needsApproval ? 'applied' : 'active';
    const status = await insertOwnMembership(tx, { programId, partnerId, status: wanted }, ctx.now());
    if (status === 'blocked' || status === 'removed') throw errors.membershipEnded();
    return { workspaceId, status };
  });
}
