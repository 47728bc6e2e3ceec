import type { TokenScope } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import type { Grant } from './oauth/oauth-code-store.ts';

/** An account token and its user, who may have been deleted. */
export type AccountToken = {
  id: number;
  userId: string;
  userExists: boolean;
  suspendedAt: Date | null;
  lastUsedAt: Date | null;
  /** For tokens of applications: the only address at which it works, and what it may do there. Null for terminals. */
  audience: string | null;
  scopes: TokenScope[] | null;
};

export async function findAccountToken(db: Queryable, hash: string, now: Date): Promise<AccountToken | null> {
  const [token] = await db.query<AccountToken>(
    `select t.id, t.user_id as "userId", u.id is not null as "userExists", u.suspended_at as "suspendedAt",
       t.last_used_at as "lastUsedAt", t.audience, t.scopes
     from account_tokens t left join users u on u.id = t.user_id
     where t.token_hash = $1 and t.revoked_at is null and t.expires_at > $2`,
    [hash, now],
  );
  return token ?? null;
}

export async function insertAccountToken(
  db: Queryable,
  token: { userId: string; hash: string; name?: string | null; expiresAt: Date; grant?: Grant },
  now: Date,
): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    `insert into account_tokens (user_id, token_hash, name, created_at, expires_at, audience, scopes, client_hash,
       client_address)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id`,
    [
      token.userId,
      token.hash,
      token.name ?? null,
      now,
      token.expiresAt,
      token.grant?.audience ?? null,
      token.grant?.scopes ?? null,
      token.grant?.clientHash ?? null,
      token.grant?.clientAddress ?? null,
    ],
  );
  return (row as { id: number }).id;
}

/** Whether the application has a token of the account that still works. */
export async function hasTokenOf(db: Queryable, userId: string, clientHash: string, now: Date): Promise<boolean> {
  const rows = await db.query(
    `select 1 from account_tokens
     where user_id = $1 and client_hash = $2 and revoked_at is null and expires_at > $3 limit 1`,
    [userId, clientHash, now],
  );
  return rows.length > 0;
}

export type ListedToken = {
  id: number;
  name: string | null;
  clientAddress: string | null;
  scopes: TokenScope[] | null;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date;
};

const MAX_LISTED = 200;

/** The account's tokens that still work, newest first. */
export function listAccountTokens(db: Queryable, userId: string, now: Date): Promise<ListedToken[]> {
  return db.query<ListedToken>(
    `select id, name, client_address as "clientAddress", scopes, created_at as "createdAt", last_used_at as "lastUsedAt",
       expires_at as "expiresAt"
     from account_tokens where user_id = $1 and revoked_at is null and expires_at > $2
     order by id desc limit ${MAX_LISTED}`,
    [userId, now],
  );
}

/** Revokes one of the account's tokens; null when it has no such token that still works. */
export async function updateTokenRevoked(
  db: Queryable,
  userId: string,
  tokenId: number,
  now: Date,
): Promise<{ name: string | null } | null> {
  const [token] = await db.query<{ name: string | null }>(
    `update account_tokens set revoked_at = $3
     where id = $2 and user_id = $1 and revoked_at is null and expires_at > $3 returning name`,
    [userId, tokenId, now],
  );
  return token ?? null;
}

export async function updateTokensRevoked(db: Queryable, userId: string, now: Date): Promise<void> {
  await db.query('update account_tokens set revoked_at = $2 where user_id = $1 and revoked_at is null', [userId, now]);
}

/** Records a use, unless one was recorded since `before`, so that concurrent requests write once. */
export async function updateTokenUsed(db: Queryable, tokenId: number, now: Date, before: Date): Promise<void> {
  await db.query(
    'update account_tokens set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at <= $3)',
    [tokenId, now, before],
  );
}

export async function deleteExpiredTokens(db: Queryable, before: Date): Promise<number> {
  return (await db.query('delete from account_tokens where expires_at < $1 returning id', [before])).length;
}
