import { errors } from '@svc/contract';
import { hashSecretToken } from '../../accounts/secret-token.ts';
import { findInvitationFacts, type InvitationFacts } from '../../accounts/workspaces/invitation-store.ts';
import type { Context } from '../../context.ts';
import { readInviteToken } from '../../mail/signed-link.ts';
import { type Agreement, findAgreement } from '../../programs/join-page-store.ts';
import type { Program } from '../../programs/program.ts';
import { findProgram } from '../../programs/program-store.ts';
import { isFor } from './accept-invitation.ts';
import { isJoinToken, requireJoinableProgram } from './join-program.ts';
import { findProgramByJoinToken } from './joining-store.ts';

/** A program that one can become a partner of, and what has to be accepted for that. */
export type Offer = {
  program: Program;
  agreement: Agreement | null;
  /** The partner who is invited; null for a new one. */
  partnerId: number | null;
};

export type DescribedInvitation = Pick<InvitationFacts, 'role' | 'workspace' | 'partnerName'> & {
  status: 'open' | 'used' | 'expired';
  email: string | null;
  /** Whether any account may accept it. */
  openLink: boolean;
  expiresAt: Date | null;
  needsApproval: boolean;
  /** Whether the questions of the join page are asked. */
  asksQuestions: boolean;
  offers: Offer[];
};

/** What an invitation, or a program's join link, offers to the holder of its token. */
export async function describeInvitation(ctx: Context, token: string): Promise<DescribedInvitation> {
  if (isJoinToken(token)) {
    const { workspace, program, needsApproval } = await requireJoinableProgram(ctx, token);
    return {
      status: 'open',
      role: 'partner',
      email: null,
      partnerName: null,
      openLink: true,
      workspace,
      offers: [await offerOf(ctx, program, null)],
      asksQuestions: true,
      needsApproval,
      expiresAt: null,
    };
  }
  const facts = await findInvitationFacts(ctx.db, hashSecretToken(readInviteToken(undefined, token).token));
  if (!facts) throw errors.invitationGone();
  const status = facts.acceptedAt ? 'used' : facts.expiresAt <= ctx.now() ? 'expired' : 'open';
  const programs = await Promise.all(facts.programIds.map((id) => findProgram(ctx.db, id)));
  const { partnerId } = facts;
  const offers = await Promise.all(programs.flatMap((program) => (program ? [offerOf(ctx, program, partnerId)] : [])));
  return { ...facts, email: facts.email || null, status, offers, asksQuestions: false, needsApproval: false };
}

async function offerOf(ctx: Context, program: Program, partnerId: number | null): Promise<Offer> {
  const agreement = program.agreementVersion === null ? null : await findAgreement(ctx.db, program.id);
  return { program, agreement, partnerId };
}

/** Whether the token is for this address and can still be accepted, or belongs to a program that can be joined. */
export async function isInvited(ctx: Context, token: string, email: string): Promise<boolean> {
  if (isJoinToken(token)) return (await findProgramByJoinToken(ctx.db, token)) !== null;
  const facts =
    token === '' ? null : await findInvitationFacts(ctx.db, hashSecretToken(readInviteToken(undefined, token).token));
  return facts !== null && facts.acceptedAt === null && facts.expiresAt > ctx.now() && isFor(facts, { email });
}
