import { errors, MAX_NOTES } from '@svc/contract';
import { findUser } from '../../accounts/user-store.ts';
import { type Actor, type AuditEvent, insertAuditEvent } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import { countNotesForUpdate, deleteNote, insertNote, type Note } from './note-store.ts';

/** The partner and the brand that a note is about, and who changes it. */
export type NotedPartner = { workspaceId: number; name: string; actor: Actor };

export type NewNote = { programId: number; partnerId: number; text: string };

/** Adds a note about a partner, for the workspace only. There are never more than a page can show. */
export function addNote(ctx: Context, note: NewNote, about: NotedPartner, userId: string): Promise<Note> {
  return ctx.db.transaction(async (tx) => {
    if ((await countNotesForUpdate(tx, note)) >= MAX_NOTES) throw errors.tooManyNotes(MAX_NOTES);
    const id = await insertNote(tx, { ...note, userId }, ctx.now());
    const author = await findUser(tx, userId);
    await insertAuditEvent(tx, noteEvent(about, note, 'partner.note_added', { after: { note_id: id } }), ctx.now());
    return { id, text: note.text, author: author?.name ?? null, createdAt: ctx.now() };
  });
}

/** Deletes a note. What it said is nowhere else, not even in the audit log. */
export function removeNote(
  ctx: Context,
  note: Omit<NewNote, 'text'>,
  noteId: number,
  about: NotedPartner,
): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    if (!(await deleteNote(tx, note, noteId))) throw errors.notFound();
    const before = { note_id: noteId };
    await insertAuditEvent(tx, noteEvent(about, note, 'partner.note_deleted', { before }), ctx.now());
  });
}

function noteEvent(
  { workspaceId, name, actor }: NotedPartner,
  { programId, partnerId }: Omit<NewNote, 'text'>,
  action: 'partner.note_added' | 'partner.note_deleted',
  changed: Pick<AuditEvent, 'before' | 'after'>,
): AuditEvent {
  return { workspaceId, programId, actor, action, subject: { type: 'partner', id: partnerId, name }, ...changed };
}
