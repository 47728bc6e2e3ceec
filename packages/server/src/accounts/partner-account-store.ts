import type { Queryable } from '../db/db.ts';

/** Gives the partner's own view to the account. */
export async function updatePartnerUser(db: Queryable, partnerId: number, userId: string): Promise<void> {
  await db.query('update partners set user_id = $2 where id = $1', [partnerId, userId]);
}
