import { errors, MAIL_REFUSALS } from '@svc/contract';
import { findPartnerInvitation } from '../accounts/workspaces/invitation-store.ts';
import { inviteAgainIn } from '../partners/joining/invite-partner.ts';
import {
  type InvitedRow,
  inviteIn,
  type ReadInvitee,
  rowOf,
  settleInvitees,
} from '../partners/joining/invite-partners.ts';
import { findMember, findPartner } from '../partners/partner-store.ts';
import { insertBulkRows } from './bulk-row-store.ts';
import type { Slice } from './slice.ts';

/** A row of a list of people to invite, and where it stands in it. */
export type NumberedInvitee = ReadInvitee & { row: number };

/** Invites the people of a slice, and stores what became of each. */
export async function inviteSlice(slice: Slice, items: NumberedInvitee[]): Promise<string[]> {
  const { tx, ctx, program, actor } = slice;
  const results = await settleInvitees(tx, { program, actor }, items, (row) => inviteIn(tx, ctx, program, row, actor));
  await storeRows(
    slice,
    results.map((result, index) => ({ ...result, row: items[index]?.row ?? index })),
  );
  return results.map(({ outcome }) => (outcome === 'invited' || outcome === 'added' ? 'done' : outcome));
}

/** A partner to be invited again, and where they stand in the list. */
export type NumberedPartner = { row: number; partnerId: number };

/** Invites the partners of a slice again, and stores what became of each. */
export async function inviteSliceAgain(slice: Slice, items: NumberedPartner[]): Promise<string[]> {
  const outcomes: string[] = [];
  const rows: (InvitedRow & { row: number })[] = [];
  for (const { row, partnerId } of items) {
    const { outcome, ...invited } = await inviteAgain(slice, partnerId);
    outcomes.push(outcome);
    // The ids are the caller's, and may be of partners whom the program does not have.
    rows.push({ row, ...invited.row, partnerId: outcome === 'not_found' ? null : partnerId });
  }
  await storeRows(slice, rows);
  return outcomes;
}

/** What became of a partner, for the counts and as a row. */
async function inviteAgain(
  { tx, ctx, program, actor }: Slice,
  partnerId: number,
): Promise<{ outcome: string; row: InvitedRow }> {
  const refused = (outcome: string, message: string) => ({ outcome, row: rowOf('refused', { message }) });
  const [member, partner] = [await findMember(tx, program.id, partnerId), await findPartner(tx, program.id, partnerId)];
  if (!member || !partner) return refused('not_found', errors.notFound().message);
  if (member.status !== 'active') return refused(member.status, 'This partner is not active.');
  const { id: programId, workspaceId } = program;
  // The address may have been corrected since the partner was added, and the link may be one for any account.
  const { email, openLink } = (await findPartnerInvitation(tx, workspaceId, partnerId)) ?? {
    ...partner,
    openLink: false,
  };
  const invited = { workspaceId, programId, partnerId, email, openLink };
  const created = await inviteAgainIn(tx, ctx, invited, actor);
  if (created === 'has_account') return refused(created, 'This partner has an account.');
  if (created === 'shared') return refused(created, errors.invitationShared().message);
  if (typeof created === 'string') {
    const { row } = refused(created, MAIL_REFUSALS[created]);
    return { outcome: created, row: { ...row, mailRefusal: created } };
  }
  const { invitation, token, isMailed, mailRefusal } = created;
  return { outcome: 'done', row: rowOf('invited', { invitationId: invitation.id, token, isMailed, mailRefusal }) };
}

/** Stores what became of the rows. The token of a link is kept, sealed, only if a person has to pass it on by hand. */
async function storeRows({ tx, ctx, bulkActionId }: Slice, results: (InvitedRow & { row: number })[]): Promise<void> {
  const rows = results.map(({ token, isMailed, ...result }) => ({
    ...result,
    tokenSealed: token !== null && !isMailed ? ctx.encryption.seal(token) : null,
  }));
  await insertBulkRows(tx, bulkActionId, rows, ctx.now());
}
