import type { Queryable } from '../db/db.ts';

export type MailTo = { userId: string } | { address: string };

/** The address behind a recipient, and whether its owner has proven it; null when the account is gone. */
export async function findAddress(db: Queryable, to: MailTo): Promise<{ address: string; isProven: boolean } | null> {
  const [userId, given] = 'userId' in to ? [to.userId, null] : [null, to.address];
  const [row] = await db.query<{ address: string | null; isProven: boolean }>(
    `select coalesce($2, u.email) as address, coalesce(u.email_verified, false) as "isProven"
     from (select) one left join users u on u.id = $1 or u.email = lower($2)`,
    [userId, given],
  );
  return row?.address ? { address: row.address, isProven: row.isProven } : null;
}

/** Whether the account has proven its address. */
export async function hasProvenAddress(db: Queryable, userId: string): Promise<boolean> {
  const rows = await db.query('select from users where id = $1 and email_verified', [userId]);
  return rows.length > 0;
}

/** The accounts that own the workspace. */
export async function listOwnerIds(db: Queryable, workspaceId: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select m.user_id as id from workspace_members m join users u on u.id = m.user_id
     where m.advertiser_id = $1 and m.role = 'owner' and u.suspended_at is null order by 1`,
    [workspaceId],
  );
  return rows.map(({ id }) => id);
}

/** The accounts of the workspace that manage partners. */
export async function listPartnerManagerIds(db: Queryable, workspaceId: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select m.user_id as id from workspace_members m join users u on u.id = m.user_id
     where m.advertiser_id = $1 and m.role not in ('finance', 'viewer') and u.suspended_at is null order by 1`,
    [workspaceId],
  );
  return rows.map(({ id }) => id);
}

/** The accounts of the workspace that may approve payouts. */
export async function listApproverIds(db: Queryable, workspaceId: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select m.user_id as id from workspace_members m join users u on u.id = m.user_id
     where m.advertiser_id = $1 and m.role <> 'viewer' and u.suspended_at is null order by 1`,
    [workspaceId],
  );
  return rows.map(({ id }) => id);
}

/** The account of a partner, if they have one, and their name. */
export async function findPartnerRecipient(
  db: Queryable,
  partnerId: number,
): Promise<{ userId: string | null; name: string } | null> {
  const [row] = await db.query<{ userId: string | null; name: string }>(
    'select user_id as "userId", name from partners where id = $1',
    [partnerId],
  );
  return row ?? null;
}
