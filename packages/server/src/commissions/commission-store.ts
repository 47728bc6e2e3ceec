import type { Queryable } from '../db/db.ts';

/** Approves commissions whose hold has ended; those refunded in full have nothing left to approve. */
export async function updateHeldToApproved(db: Queryable, now: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `with held as materialized (
       select id from commissions
       where stage = 'pending' and reversal <> 'full' and approve_after <= $1
       order by approve_after limit $2 for update skip locked
     )
     update commissions c set stage = 'approved', approved_at = $1 from held where c.id = held.id
     returning c.id`,
    [now, limit],
  );
  return rows.length;
}
