import { errors } from '@svc/contract';
import { type Actor, insertAuditEvent } from '../../audit/audit-store.ts';
import { changedFields } from '../../audit/changed-fields.ts';
import type { Context } from '../../context.ts';
import type { Queryable, Transaction } from '../../db/db.ts';
import { announce } from '../../outbox/announce.ts';
import { type RowsBefore, readRows } from '../../outbox/outbox-store.ts';
import type { Program } from '../../programs/program.ts';
import { requireDestination } from './add-link.ts';
import { LINK_ROWS } from './link-list-store.ts';
import { findLinkForUpdate, type LinkChanges, type StoredLink, updateLink, updateLinkDeleted } from './link-store.ts';

/** Whose link it is: with a `partnerId`, only links of that partner are found. */
export type LinkOf = { program: Program; linkId: number; partnerId: number | null };

/** Changes what is given. Its short link stays, because it may be printed somewhere. */
export function changeLink(
  ctx: Context,
  { program, linkId, partnerId }: LinkOf,
  changes: LinkChanges,
  actor: Actor,
): Promise<void> {
  const { destinationUrl } = changes;
  const destination =
    destinationUrl === undefined ? {} : { destinationUrl: requireDestination(program, destinationUrl) };
  return ctx.db.transaction(async (tx) => {
    const outcome = await changeLinkIn(tx, ctx, { program, linkId, partnerId }, { ...changes, ...destination }, actor);
    if (outcome === 'not_found') throw errors.notFound();
  });
}

/** The same as a part of a transaction, for changes that are known to be allowed. Says what became of it. */
export async function changeLinkIn(
  tx: Transaction,
  ctx: Context,
  { program, linkId, partnerId }: Omit<LinkOf, 'program'> & { program: LinkProgram },
  changes: LinkChanges,
  actor: Actor,
): Promise<'done' | 'unchanged' | 'not_found'> {
  const before = await findLinkForUpdate(tx, program.id, linkId, partnerId);
  const rows = await readLink(tx, program, linkId);
  const link = await updateLink(tx, program.id, linkId, partnerId, changes);
  if (!before || !link) return 'not_found';
  const changed = changedFields(settingsOf(before), settingsOf(link));
  if (!changed) return 'unchanged';
  await insertAuditEvent(tx, { ...about(program, link, actor), action: 'link.changed', ...changed }, ctx.now());
  announceChange(ctx, tx, program, linkId, rows);
  return 'done';
}

type LinkProgram = Pick<Program, 'id' | 'workspaceId'>;

const readLink = (tx: Queryable, { id: programId }: LinkProgram, id: number) =>
  readRows(tx, LINK_ROWS, [{ programId, id }]);

function announceChange(ctx: Context, tx: Transaction, program: LinkProgram, id: number, rows: RowsBefore): void {
  const event = { type: 'link.changed', programId: program.id, id, before: rows.get(id) } as const;
  announce(ctx, tx, [{ rows: LINK_ROWS, events: [event] }]);
}

const settingsOf = ({ active, destinationUrl, label }: StoredLink) => ({ active, destinationUrl, label });

function about({ id, workspaceId }: LinkProgram, link: StoredLink, actor: Actor) {
  const subject = { type: 'link', id: link.id, name: link.shortLink } as const;
  return { workspaceId, programId: id, actor, subject };
}

/** Deletes a link for good. Its row stays, so that its results are explained and its short link is never given out again. */
export function deleteLink(ctx: Context, link: LinkOf, actor: Actor): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    if ((await deleteLinkIn(tx, ctx, link, actor)) === 'not_found') throw errors.notFound();
  });
}

/** The same as a part of a transaction. Says what became of it. */
export async function deleteLinkIn(
  tx: Transaction,
  ctx: Context,
  { program, linkId, partnerId }: Omit<LinkOf, 'program'> & { program: LinkProgram },
  actor: Actor,
): Promise<'done' | 'not_found'> {
  const link = await findLinkForUpdate(tx, program.id, linkId, partnerId);
  if (!link) return 'not_found';
  const rows = await readLink(tx, program, linkId);
  await updateLinkDeleted(tx, program.id, linkId, partnerId, ctx.now());
  const before = { partner_id: link.partnerId };
  await insertAuditEvent(tx, { ...about(program, link, actor), action: 'link.deleted', before }, ctx.now());
  announceChange(ctx, tx, program, linkId, rows);
  return 'done';
}
