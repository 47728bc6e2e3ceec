import type { Queryable } from '../../db/db.ts';

export type Note = { id: number; text: string; author: string | null; createdAt: Date };

type NoteOf = { programId: number; partnerId: number };

/** The notes about a partner, newest first. */
export function listNotes(db: Queryable, { programId, partnerId }: NoteOf, limit: number): Promise<Note[]> {
  return db.query<Note>(
    `select n.id, n.text, u.name as author, n.created_at as "createdAt"
     from partner_notes n left join users u on u.id = n.user_id
     where n.program_id = $1 and n.partner_id = $2 order by n.id desc limit $3`,
    [programId, partnerId, limit],
  );
}

/** How many notes there are about the partner. The membership is locked, so that notes are added one at a time. */
export async function countNotesForUpdate(db: Queryable, { programId, partnerId }: NoteOf): Promise<number> {
  await db.query('select 1 from memberships where program_id = $1 and partner_id = $2 for no key update', [
    programId,
    partnerId,
  ]);
  const [row] = await db.query<{ count: number }>(
    'select count(*) as count from partner_notes where program_id = $1 and partner_id = $2',
    [programId, partnerId],
  );
  return (row as { count: number }).count;
}

export async function insertNote(
  db: Queryable,
  note: NoteOf & { text: string; userId: string },
  now: Date,
): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    `insert into partner_notes (program_id, partner_id, text, user_id, created_at) values ($1, $2, $3, $4, $5)
     returning id`,
    [note.programId, note.partnerId, note.text, note.userId, now],
  );
  return (row as { id: number }).id;
}

/** Deletes a note; false when there is no such note. */
export async function deleteNote(db: Queryable, { programId, partnerId }: NoteOf, noteId: number): Promise<boolean> {
  const rows = await db.query(
    'delete from partner_notes where program_id = $1 and partner_id = $2 and id = $3 returning id',
    [programId, partnerId, noteId],
  );
  return rows.length > 0;
}
