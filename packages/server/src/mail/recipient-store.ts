import type { Queryable } from '../db/db.ts';

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
