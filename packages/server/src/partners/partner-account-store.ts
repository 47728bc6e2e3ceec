import type { Queryable } from '../db/db.ts';

/** Gives the invited account access to the partner's portal. This approves an application that is still pending. */
export async function updatePartnerUser(db: Queryable, partnerId: number, userId: string): Promise<void> {
  await db.query(
    `with approved as (
       update memberships set status = 'active' where partner_id = $1 and status = 'applied'
     )
     update partners set user_id = $2, joined_itself = false where id = $1`,
    [partnerId, userId],
  );
}
