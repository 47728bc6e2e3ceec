import type { Queryable } from '../../db/db.ts';

export type ListedPasskey = { id: string; name: string | null; createdAt: Date | null; lastUsedAt: Date | null };

/** Whether the account has a verified authenticator app. */
export async function hasAuthenticatorApp(db: Queryable, userId: string): Promise<boolean> {
  const rows = await db.query('select 1 from second_factors where user_id = $1 and verified', [userId]);
  return rows.length > 0;
}

/** Whether the account has any second factor now. It is locked, so that of two that are removed at once, one is the last. */
export async function hasFactorForUpdate(db: Queryable, userId: string): Promise<boolean> {
  await db.query('select from users where id = $1 for no key update', [userId]);
  const rows = await db.query(
    `select from second_factors where user_id = $1 and verified union all select from passkeys where user_id = $1`,
    [userId],
  );
  return rows.length > 0;
}

/** The account's passkeys, oldest first. */
export function listPasskeys(db: Queryable, userId: string): Promise<ListedPasskey[]> {
  return db.query<ListedPasskey>(
    `select id, name, created_at as "createdAt", last_used_at as "lastUsedAt" from passkeys
     where user_id = $1 order by created_at, id`,
    [userId],
  );
}

export async function updatePasskeyUsed(db: Queryable, credentialId: string, now: Date): Promise<void> {
  await db.query('update passkeys set last_used_at = $2 where credential_id = $1', [credentialId, now]);
}

/** Removes all second factors of the account; returns how many there were. Its password alone is enough from then on. */
export async function deleteSecondFactors(db: Queryable, userId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `with apps as (delete from second_factors where user_id = $1 returning 1),
       keys as (delete from passkeys where user_id = $1 returning 1)
     select (select count(*) from apps) + (select count(*) from keys) as count`,
    [userId],
  );
  return row?.count ?? 0;
}
