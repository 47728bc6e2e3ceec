import { errors } from '@svc/contract';
import type { Actor } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { Program } from '../programs/program.ts';
import { type AddedPartner, addPartner } from './add-partner.ts';
import { changeMembershipIn } from './change-membership.ts';
import { findMembershipForUpdate, findPartner, type NewPartner } from './partner-store.ts';

type Upsert = {
  actor: Actor;
  /** Whether a partner who is in the program already, without an account, is invited once more. */
  invitesAgain: boolean;
  /** Whether the name of a partner who is in the program already is replaced. */
  renames: boolean;
};

/**
 * Adds a partner, or finds the one of the program with this e-mail and gives them the brand's id, unless they have another one. The
 * database decides which of several requests at the same moment adds them, and who gets the id.
 */
export function upsertPartner(
  ctx: Context,
  program: Program,
  partner: Omit<NewPartner, 'workspaceId' | 'programId'> & { openLink?: boolean },
  { actor, invitesAgain, renames }: Upsert,
): Promise<AddedPartner> {
  const { name, externalId } = partner;
  const { id: programId, workspaceId } = program;
  return ctx.db.transaction(async (tx) => {
    const added = await addPartner(tx, ctx, { ...partner, programId, workspaceId }, { actor, invitesAgain });
    const known = added.isNewMember ? null : await findPartner(tx, programId, added.id);
    if (!known) return added;
    const membership = await findMembershipForUpdate(tx, programId, known.id);
    if (externalId && membership?.externalId && membership.externalId !== externalId) throw errors.hasOtherExternalId();
    await changeMembershipIn(tx, ctx, program, known, { externalId, ...(renames && { name }) }, actor);
    return added;
  });
}
