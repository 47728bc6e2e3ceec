import { errors } from '@svc/contract';
import {
  type AccountIdentity,
  deleteAccount,
  findAccountIdentity,
  listInvitationIds,
  updateWorkspacesNamedAfter,
} from '../accounts/erased-account-store.ts';
import { hashSecretToken } from '../accounts/secret-token.ts';
import { deleteAttemptsAt } from '../accounts/sign-in-attempt-store.ts';
import { deleteOpenInvitations } from '../accounts/workspaces/invitation-store.ts';
import { findMemberForUpdate, type LockedMember } from '../accounts/workspaces/workspace-store.ts';
import { type Actor, insertAuditEvent } from '../audit/audit-store.ts';
import { deleteActorName, listAuditTexts, listAuditTextsAbout, updateAuditTexts } from '../audit/erased-audit-store.ts';
import type { Context } from '../context.ts';
import type { Queryable } from '../db/db.ts';
import { retryOnConflict } from '../db/retry-on-conflict.ts';
import { deleteAnswersTo } from '../idempotency/idempotency-store.ts';
import { deleteExternalIds } from '../imports/import-store.ts';
import { deleteUndeliverable } from '../mail/address-store.ts';
import { deleteMailsOf } from '../mail/mail-store.ts';
import { listProgramsOfPartners, updatePartnersErased } from '../partners/erased-partner-store.ts';
import { lockMethods } from '../payout-methods/payout-method-store.ts';
import { updatePayoutsErased } from '../payouts/payout-store.ts';
import { deleteContact } from '../programs/program-store.ts';
import { erasePartnersFromFeed } from './erase-feed.ts';
import { type Erasure, insertErasure } from './erasure-store.ts';
import { ERASED, type Identifiers, redactJson } from './redact.ts';

/**
 * Deletes an account, and removes its name and address from everything else. What the person earned as a partner stays, under
 * another name. Refused for the only owner of a workspace that has programs or other members. False if there is no such account.
 */
export function eraseAccount(ctx: Context, userId: string, actor: Actor): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const member = await findMemberForUpdate(tx, userId);
    if (member?.isLastOwner && member.isInUse) throw errors.soleOwner();
    const account = await findAccountIdentity(tx, userId);
    if (!account) return false;
    const now = ctx.now();
    await eraseEverywhere(tx, account, member, now);
    const subject = { type: 'account', id: userId } as const;
    const workspaceId = member?.workspaceId ?? null;
    await insertAuditEvent(tx, { workspaceId, actor, action: 'account.erased', subject }, now);
    return true;
  });
}

/** Repeats an erasure on a store from an older backup. False when it has no such account. */
export function repeatAccountErasure(
  ctx: Context,
  { subjectId, subjectCreatedAt, erasedAt }: Erasure,
): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const member = await findMemberForUpdate(tx, subjectId);
    const account = await findAccountIdentity(tx, subjectId);
    if (account?.createdAt.getTime() !== subjectCreatedAt.getTime()) return false;
    await eraseEverywhere(tx, account, member, erasedAt);
    return true;
  });
}

/** Others may be changing the team, accepting an invitation or taking a run further, which locks the same rows in another order. */
function inTransaction(ctx: Context, work: (tx: Queryable) => Promise<boolean>): Promise<boolean> {
  return retryOnConflict(() => ctx.db.transaction(work));
}

async function eraseEverywhere(
  tx: Queryable,
  account: AccountIdentity,
  member: LockedMember | null,
  at: Date,
): Promise<void> {
  const { id, name, email, emailVerified, createdAt } = account;
  // A payout that is being made to one of them is seen below, or waits for this and is not made.
  const methodIds = await lockMethods(tx, id);
  const partnerIds = await updatePartnersErased(tx, { userId: id, email: emailVerified ? email : null });
  await erasePartnersFromFeed(tx, await listProgramsOfPartners(tx, partnerIds), { partnerIds, name, email });
  await updatePayoutsErased(tx, { partnerIds, methodIds });
  await deleteExternalIds(tx, partnerIds);
  await deleteMailsOf(tx, { ...account, partnerIds, emailHash: hashSecretToken(email) });
  await deleteAnswersTo(tx, id);
  await deleteUndeliverable(tx, email);
  await deleteAttemptsAt(tx, { id, email });
  const invitationIds = await listInvitationIds(tx, email);
  await deleteAccount(tx, account);
  await updateWorkspacesNamedAfter(tx, member?.workspaceId ?? null, account);
  // Only in their own workspace: elsewhere, anyone could sign up with a brand's contact address and take it away.
  if (member) await deleteContact(tx, member.workspaceId, email);
  if (member && !member.hasOthers) await deleteOpenInvitations(tx, member.workspaceId);
  await deleteActorName(tx, id);
  // A name is a common word, so it is looked for only where the person is meant.
  const ownsAddress = (address: string) => address.toLowerCase() === email;
  const about = (await listAuditTextsAbout(tx, { userId: id, partnerIds, invitationIds })).map(
    ({ isSubject, ...row }) =>
      isSubject ? { ...row, subjectName: null, before: withoutNames(row.before), after: withoutNames(row.after) } : row,
  );
  await redactRows(tx, about, { words: [name, email], ownsAddress });
  await redactRows(tx, await listAuditTexts(tx, null, [email]), { words: [email], ownsAddress });
  await insertErasure(tx, {
    subject: 'account',
    programId: null,
    subjectId: id,
    subjectCreatedAt: createdAt,
    erasedAt: at,
  });
}

/** People change their names, so what they were called before goes too. */
function withoutNames(facts: Record<string, unknown>): Record<string, unknown> {
  const hidden = Object.keys(facts).filter((field) =>
    ['name', 'email', 'external_id', 'payout_details', 'payout_method'].includes(field),
  );
  return { ...facts, ...Object.fromEntries(hidden.map((field) => [field, ERASED])) };
}

type Rows = Awaited<ReturnType<typeof listAuditTexts>>;

async function redactRows(tx: Queryable, rows: Rows, identifiers: Identifiers): Promise<void> {
  await updateAuditTexts(
    tx,
    rows.map(({ id, ...texts }) => ({ id, ...redactJson(texts, identifiers) })),
  );
}
