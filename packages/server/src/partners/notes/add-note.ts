import { errors, MAX_NOTES } from '@svc/contract';
import { findUser } from '../../accounts/user-store.ts';
import type { Context } from '../../context.ts';
import { countNotesForUpdate, insertNote, type Note } from './note-store.ts';

export type NewNote = { programId: number; partnerId: number; text: string };

/** Adds a note about a partner, for the workspace only. There are never more than a page can show. */
export function addNote(ctx: Context, note: NewNote, userId: string): Promise<Note> {
  return ctx.db.transaction(async (tx) => {
    if ((await countNotesForUpdate(tx, note)) >= MAX_NOTES) throw errors.tooManyNotes(MAX_NOTES);
    const id = await insertNote(tx, { ...note, userId }, ctx.now());
    const author = await findUser(tx, userId);
    return { id, text: note.text, author: author?.name ?? null, createdAt: ctx.now() };
  });
}
