import { createHash } from 'node:crypto';
import type { Queryable } from '../../db/db.ts';

/** Stores a link as the sign-in library does: hashed (`storeIdentifier`), with the account as its value. */
export async function insertResetLink(
  db: Queryable,
  { token, userId, expiresAt }: { token: string; userId: string; expiresAt: Date },
  now: Date,
): Promise<void> {
  const identifier = createHash('sha256').update(`reset-password:${token}`).digest('base64url');
  await db.query(
    `insert into verifications (id, identifier, value, expires_at, created_at, updated_at)
     values (gen_random_uuid()::text, $1, $2, $3, $4, $4)`,
    [identifier, userId, expiresAt, now],
  );
}

/** Deletes the account's links for a new password, and sign-ins that wait for a second factor. */
export async function deleteResetLinks(db: Queryable, userId: string): Promise<void> {
  await db.query('delete from verifications where value = $1', [userId]);
}
