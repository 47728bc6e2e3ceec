import type { Queryable } from '../db/db.ts';

export type ReferenceText = { id: number; reference: string };

/** References of the program's payouts that contain one of the words. */
export function listReferencesWith(db: Queryable, programId: number, words: string[]): Promise<ReferenceText[]> {
  return db.query<ReferenceText>(
    `select id, reference from payouts where program_id = $1
       and exists (select from unnest($2::text[]) word where position(word in reference) > 0)`,
    [programId, words],
  );
}

export async function updateReference(db: Queryable, { id, reference }: ReferenceText): Promise<void> {
  await db.query('update payouts set reference = $2 where id = $1', [id, reference]);
}
