import { errors } from '@svc/contract';
import { findInvitationFacts, type InvitationFacts } from '../accounts/invitation-store.ts';
import { hashSecretToken } from '../accounts/secret-token.ts';
import type { Context } from '../context.ts';
import { isFor } from './accept-invitation.ts';
import { isJoinToken, requireJoinableProgram } from './join-program.ts';
import { findJoinableProgram } from './joining-store.ts';

export type DescribedInvitation = Pick<InvitationFacts, 'role' | 'workspace' | 'programs'> & {
  status: 'open' | 'used' | 'expired';
  email: string | null;
  /** Whether any account may accept it. */
  openLink: boolean;
  expiresAt: Date | null;
  needsApproval: boolean;
};

/** What an invitation, or a program's join link, offers to the holder of its token. */
export async function describeInvitation(ctx: Context, token: string): Promise<DescribedInvitation> {
  if (isJoinToken(token)) {
    const { workspace, name, needsApproval } = await requireJoinableProgram(ctx, token);
    return {
      status: 'open',
      role: 'partner',
      email: null,
      openLink: true,
      workspace,
      programs: [name],
      needsApproval,
      expiresAt: null,
    };
  }
  const facts = await findInvitationFacts(ctx.db, hashSecretToken(token));
  if (!facts) throw errors.invitationGone();
  const status = facts.acceptedAt ? 'used' : facts.expiresAt <= ctx.now() ? 'expired' : 'open';
  return { ...facts, email: facts.email || null, status, needsApproval: false };
}

/** Whether the token is for this address and can still be accepted, or belongs to a program that can be joined. */
export async function isInvited(ctx: Context, token: string, email: string): Promise<boolean> {
  if (isJoinToken(token)) return (await findJoinableProgram(ctx.db, token)) !== null;
  const facts = token === '' ? null : await findInvitationFacts(ctx.db, hashSecretToken(token));
  return facts !== null && facts.acceptedAt === null && facts.expiresAt > ctx.now() && isFor(facts, { email });
}
