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
  name: string | null;
  /** Null for tokens that work until they are revoked. */
  expiresAt: Date | null;
  /** For tokens of applications: the only address at which it works. */
  audience: string | null;
  /** What it may do. Null for terminals, which may do what the account may. */
  scopes: TokenScope[] | null;
  /** The only program that it works for. */
  programId: number | null;
};

/** Whether the token works at the time in $2. Only owners have tokens that do not expire, and only as long as they are owners. */
const WORKS = `t.revoked_at is null and (t.expires_at > $2 or (t.expires_at is null and exists (
  select 1 from workspace_members m where m.user_id = t.user_id and m.role = 'owner')))`;

export async function findAccountToken(db: Queryable, hash: string, now: Date): Promise<AccountToken | null> {
  const [token] = await db.query<AccountToken>(
    `select t.id, t.user_id as "userId", u.id is not null as "userExists", u.suspended_at as "suspendedAt",
       t.last_used_at as "lastUsedAt", t.name, t.expires_at as "expiresAt", t.audience, t.scopes,
       t.program_id as "programId"
     from account_tokens t left join users u on u.id = t.user_id
     where t.token_hash = $1 and ${WORKS}`,
    [hash, now],
  );
  return token ?? null;
}

type NewAccountToken = {
  userId: string;
  hash: string;
  name?: string | null;
  expiresAt: Date | null;
  /** What a token of an application is for. */
  grant?: Grant;
  /** What a token that its user created may do. */
  scopes?: TokenScope[];
  programId?: number | null;
};

export async function insertAccountToken(db: Queryable, token: NewAccountToken, now: Date): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    `insert into account_tokens (user_id, token_hash, name, created_at, expires_at, audience, scopes, client_hash,
       client_address, program_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id`,
    [
      token.userId,
      token.hash,
      token.name ?? null,
      now,
      token.expiresAt,
      token.grant?.audience ?? null,
      token.grant?.scopes ?? token.scopes ?? null,
      token.grant?.clientHash ?? null,
      token.grant?.clientAddress ?? null,
      token.programId ?? null,
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

/** How many tokens that its user created the account has, which still work. */
export async function countCreatedTokens(db: Queryable, userId: string, now: Date): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) from account_tokens t
     where t.user_id = $1 and t.scopes is not null and t.audience is null and ${WORKS}`,
    [userId, now],
  );
  return row?.count ?? 0;
}

/** Whether the account's token works, locked so that revoking it waits for the transaction. */
export async function hasTokenForShare(
  db: Queryable,
  { userId, tokenId }: { userId: string; tokenId: number },
  now: Date,
): Promise<boolean> {
  const rows = await db.query(
    `select 1 from account_tokens t where t.user_id = $1 and t.id = $3 and ${WORKS} for share`,
    [userId, now, tokenId],
  );
  return rows.length > 0;
}

export type ListedToken = {
  id: number;
  name: string | null;
  clientAddress: string | null;
  scopes: TokenScope[] | null;
  programId: number | null;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
};

const MAX_LISTED = 200;

/** The account's tokens that still work, newest first. */
export function listAccountTokens(db: Queryable, userId: string, now: Date): Promise<ListedToken[]> {
  return db.query<ListedToken>(
    `select t.id, t.name, t.client_address as "clientAddress", t.scopes, t.program_id as "programId",
       t.created_at as "createdAt", t.last_used_at as "lastUsedAt", t.expires_at as "expiresAt"
     from account_tokens t where t.user_id = $1 and ${WORKS}
     order by t.id desc limit ${MAX_LISTED}`,
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
     where id = $2 and user_id = $1 and revoked_at is null and (expires_at is null or expires_at > $3) returning name`,
    [userId, tokenId, now],
  );
  return token ?? null;
}

/** Revokes all tokens of the account, and those that they are creating at the moment. */
export async function updateTokensRevoked(db: Queryable, userId: string, now: Date): Promise<void> {
  await db.query('select 1 from account_tokens where user_id = $1 and revoked_at is null for update', [userId]);
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
  const rows = await db.query(
    `delete from account_tokens where expires_at < $1 or (expires_at is null and revoked_at < $1) returning id`,
    [before],
  );
  return rows.length;
}
