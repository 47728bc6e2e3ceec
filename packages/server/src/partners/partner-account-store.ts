import type { Queryable } from '../db/db.ts';

/** Gives the partner's own view to the account that the brand invited; an application is approved by that. */
export async function updatePartnerUser(db: Queryable, partnerId: number, userId: string): Promise<void> {
  await db.query(
    `with approved as (
       update memberships set status = 'active' where partner_id = $1 and status = 'applied'
     )
     update partners set user_id = $2, joined_itself = false where id = $1`,
    [partnerId, userId],
  );
}
