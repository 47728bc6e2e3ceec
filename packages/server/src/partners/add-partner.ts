import { errors, type MailRefusal } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/db.ts';
import { announce } from '../outbox/announce.ts';
import { refuseTakenId } from './change-details.ts';
import { createPartnerInvitation } from './joining/invite-partner.ts';
import { createFirstLink } from './links/create-first-link.ts';
import { PARTNER_ROWS } from './partner-list-store.ts';
import { type InsertedPartner, insertPartner, isSharedBeyond, type NewPartner } from './partner-store.ts';

/** The added partner, with the token of their invitation if they were invited, and whether its link was mailed, or why not. */
export type AddedPartner = InsertedPartner & {
  invitationId: number | null;
  token: string | null;
  isMailed: boolean;
  mailRefusal: MailRefusal | null;
};

/**
 * Adds a partner on behalf of the brand, and invites them unless they have an account. One row of the audit log says both. A
 * partner who is in the program already is invited again only if the caller says so. A token for one program invites nobody who is in
 * others: the link opens them too.
 */
export async function addPartner(
  tx: Transaction,
  ctx: Context,
  { openLink, ...partner }: NewPartner & { openLink?: boolean },
  { actor, invitesAgain }: { actor: Actor; invitesAgain: boolean },
): Promise<AddedPartner> {
  const now = ctx.now();
  const added = await addMember(tx, ctx, partner);
  const { id: partnerId, isNewMember, hasAccount } = added;
  const { workspaceId, programId, email, name, externalId } = partner;
  const isInvited = !hasAccount && (isNewMember || invitesAgain) && !(await isSharedBeyond(tx, actor, partnerId));
  const created = isInvited
    ? await createPartnerInvitation(tx, ctx, { workspaceId, programId, partnerId, email, openLink }, actor)
    : null;
  if (isNewMember || created) {
    const subject = { type: 'partner', id: partnerId, name } as const;
    const action = isNewMember ? 'partner.added' : 'partner.invited';
    const after = {
      ...(created && { invitation_id: created.invitation.id, open_link: created.invitation.openLink }),
      ...(isNewMember && externalId !== undefined && { external_id: externalId }),
    };
    await insertAuditEvent(tx, { workspaceId, programId, actor, action, subject, after }, now);
  }
  return {
    ...added,
    invitationId: created?.invitation.id ?? null,
    token: created?.token ?? null,
    isMailed: created?.isMailed ?? false,
    mailRefusal: created?.mailRefusal ?? null,
  };
}

/** Makes a partner a member of the program, as part of a larger change. One who has an account gets a first link immediately. */
export async function addMember(tx: Transaction, ctx: Context, partner: NewPartner): Promise<InsertedPartner> {
  const inserted = await insertPartner(tx, partner, ctx.now()).catch(refuseTakenId);
  if (inserted === null) throw errors.partnerJoinedItself();
  const { id, isNewMember, hasAccount } = inserted;
  if (!isNewMember) return inserted;
  const { programId } = partner;
  announce(ctx, tx, [{ rows: PARTNER_ROWS, events: [{ type: 'partner.joined', programId, id }] }]);
  if (hasAccount) await createFirstLink(tx, ctx, { programId, partnerId: id });
  return inserted;
}
