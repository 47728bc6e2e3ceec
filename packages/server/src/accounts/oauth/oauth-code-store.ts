import type { TokenScope } from '@svc/contract';
import type { Queryable } from '../../db/db.ts';

/** What a user has allowed an application. */
export type Grant = {
  clientHash: string;
  /** What the application calls itself. Anyone can register one, so it proves nothing. */
  clientName: string;
  /** Where the application continues. */
  clientAddress: string;
  /** The only address at which the token works. */
  audience: string;
  scopes: TokenScope[];
};

/** A code, and who may exchange it. */
export type OAuthCode = Grant & {
  userId: string;
  redirectUri: string;
  challenge: string;
  expiresAt: Date;
  /** The token that it was exchanged for. */
  tokenId: number | null;
};

type NewCode = Omit<OAuthCode, 'tokenId'> & { codeHash: string };

export async function insertCode(db: Queryable, code: NewCode, now: Date): Promise<void> {
  await db.query(
    `insert into oauth_codes (code_hash, user_id, client_hash, redirect_uri, code_challenge, client_name, client_address,
       audience, scopes, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      code.codeHash,
      code.userId,
      code.clientHash,
      code.redirectUri,
      code.challenge,
      code.clientName,
      code.clientAddress,
      code.audience,
      code.scopes,
      now,
      code.expiresAt,
    ],
  );
}

export async function findCode(db: Queryable, codeHash: string): Promise<OAuthCode | null> {
  const [code] = await db.query<OAuthCode>(
    `select user_id as "userId", client_hash as "clientHash", redirect_uri as "redirectUri", code_challenge as challenge,
       client_name as "clientName", client_address as "clientAddress", audience, scopes, expires_at as "expiresAt",
       token_id as "tokenId"
     from oauth_codes where code_hash = $1`,
    [codeHash],
  );
  return code ?? null;
}

/** Marks the code as used; true only for the one exchange that gets the token. */
export async function updateCodeUsed(db: Queryable, codeHash: string, now: Date): Promise<boolean> {
  const rows = await db.query(
    'update oauth_codes set used_at = $2 where code_hash = $1 and used_at is null returning user_id',
    [codeHash, now],
  );
  return rows.length > 0;
}

/** Records which token the code was exchanged for. */
export async function updateCodeToken(db: Queryable, codeHash: string, tokenId: number): Promise<void> {
  await db.query('update oauth_codes set token_id = $2 where code_hash = $1', [codeHash, tokenId]);
}

export async function deleteCodesOf(db: Queryable, userId: string): Promise<void> {
  await db.query('delete from oauth_codes where user_id = $1', [userId]);
}

export async function deleteOldCodes(db: Queryable, before: Date): Promise<void> {
  await db.query('delete from oauth_codes where expires_at < $1', [before]);
}
