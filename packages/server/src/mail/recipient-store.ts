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

export type Recipient = {
  /** Null when the account is gone. */
  address: string | null;
  isVerified: boolean;
  isSuspended: boolean;
  /** Whether the person has switched this kind off. */
  isUnwanted: boolean;
  /** Whether a mail server has refused the address for good. */
  isUndeliverable: boolean;
};

/** Where a mail goes now: to the address that the account has, or to the one that it was queued for. */
export async function findRecipient(
  db: Queryable,
  { userId, address }: { userId: string | null; address: string | null },
  kind: string,
): Promise<Recipient> {
  const [row] = await db.query<Recipient>(
    `select t.address, coalesce(u.email_verified, false) as "isVerified", u.suspended_at is not null as "isSuspended",
       exists (select 1 from mail_preferences p where p.user_id = $1 and p.kind = $3) as "isUnwanted",
       exists (select 1 from undeliverable_addresses d where d.address = lower(t.address)) as "isUndeliverable"
     from (values (1)) one left join users u on u.id = $1
     cross join lateral (select coalesce($2::text, u.email) as address) t`,
    [userId, address, kind],
  );
  return row as Recipient;
}

export type Brand = { name: string; color: string | null };

/** In whose name a mail is sent: the program's, or else the workspace's; null for the service's own. */
export async function findBrand(
  db: Queryable,
  { programId, workspaceId }: { programId: number | null; workspaceId: number | null },
): Promise<Brand | null> {
  const [row] = await db.query<Brand>(
    `select name, brand_color as color from programs where id = $1
     union all
     select name, null from advertisers where id = $2 and $1::bigint is null`,
    [programId, workspaceId],
  );
  return row ?? null;
}
