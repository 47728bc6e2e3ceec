import type { Queryable } from '../db/db.ts';

/** The account that has the partner, if any, and what the partner is called. */
export type PartnerAccount = { userId: string | null; name: string | null };

/** The account that has the partner, if any. The partner is locked, so that two accounts cannot both become theirs. */
export async function findPartnerAccount(db: Queryable, partnerId: number): Promise<PartnerAccount> {
  const [row] = await db.query<PartnerAccount>(
    'select user_id as "userId", name from partners where id = $1 for update',
    [partnerId],
  );
  return row ?? { userId: null, name: null };
}

/**
 * Gives the invited account access to the partner's portal. This approves an application that is still pending. When another
 * account had the partner, the time of the change is stored, so that both accounts can see it.
 */
export async function updatePartnerUser(db: Queryable, partnerId: number, userId: string, now: Date): Promise<void> {
  await db.query(
    `with approved as (
       update memberships set status = 'active' where partner_id = $1 and status = 'applied'
     )
     update partners set user_id = $2, joined_itself = false,
       account_changed_at = case when user_id <> $2 then $3 else account_changed_at end,
       previous_user_id = case when user_id <> $2 then user_id else previous_user_id end
     where id = $1`,
    [partnerId, userId, now],
  );
}

export type LostPartner = { workspace: string; changedAt: Date };

/** The partners that were handed over from this account to another one. */
export function listLostPartners(db: Queryable, userId: string): Promise<LostPartner[]> {
  return db.query<LostPartner>(
    `select a.name as workspace, p.account_changed_at as "changedAt"
     from partners p join advertisers a on a.id = p.advertiser_id
     where p.previous_user_id = $1 order by p.account_changed_at desc limit 50`,
    [userId],
  );
}
