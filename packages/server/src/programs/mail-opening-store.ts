import type { Queryable } from '../db/db.ts';

/** The opening paragraphs of mails in the words of the brand. */
export type MailOpenings = { invitation: string | null; welcome: string | null };

export async function findMailOpenings(db: Queryable, programId: number): Promise<MailOpenings> {
  const [openings] = await db.query<MailOpenings>(
    'select invitation_opening as invitation, welcome_opening as welcome from programs where id = $1',
    [programId],
  );
  return openings ?? { invitation: null, welcome: null };
}

export async function updateMailOpenings(db: Queryable, programId: number, openings: MailOpenings): Promise<void> {
  await db.query('update programs set invitation_opening = $2, welcome_opening = $3 where id = $1', [
    programId,
    openings.invitation,
    openings.welcome,
  ]);
}
