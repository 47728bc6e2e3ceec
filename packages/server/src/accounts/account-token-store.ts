import type { Queryable } from '../db/db.ts';

/** An account token and its user, who may have been deleted. */
export type AccountToken = { id: number; userId: string; userExists: boolean; suspendedAt: Date | null };

export async function findAccountToken(db: Queryable, hash: string, now: Date): Promise<AccountToken | null> {
  const [token] = await db.query<AccountToken>(
    `select t.id, t.user_id as "userId", u.id is not null as "userExists", u.suspended_at as "suspendedAt"
     from account_tokens t left join users u on u.id = t.user_id
     where t.token_hash = $1 and t.revoked_at is null and t.expires_at > $2`,
    [hash, now],
  );
  return token ?? null;
}

export async function insertAccountToken(
  db: Queryable,
  token: { userId: string; hash: string; expiresAt: Date },
  now: Date,
): Promise<void> {
  await db.query('insert into account_tokens (user_id, token_hash, created_at, expires_at) values ($1, $2, $3, $4)', [
    token.userId,
    token.hash,
    now,
    token.expiresAt,
  ]);
}

export async function updateTokenRevoked(db: Queryable, tokenId: number, now: Date): Promise<void> {
  await db.query('update account_tokens set revoked_at = $2 where id = $1', [tokenId, now]);
}

export async function updateTokensRevoked(db: Queryable, userId: string, now: Date): Promise<void> {
  await db.query('update account_tokens set revoked_at = $2 where user_id = $1 and revoked_at is null', [userId, now]);
}
