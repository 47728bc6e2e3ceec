import type { Queryable } from '../db/db.ts';

/** What identifies an account. */
export type AccountIdentity = {
  id: string;
  name: string;
  email: string;
  /** Whether the address is proven to belong to the user. */
  emailVerified: boolean;
  createdAt: Date;
};

/** The account, locked, so that nothing more is added to it. */
export async function findAccountIdentity(db: Queryable, userId: string): Promise<AccountIdentity | null> {
  const [row] = await db.query<AccountIdentity>(
    `select id, name, email, email_verified as "emailVerified", created_at as "createdAt" from users where id = $1 for update`,
    [userId],
  );
  return row ?? null;
}

/** The invitations to an address, to any workspace. */
export async function listInvitationIds(db: Queryable, email: string): Promise<number[]> {
  const rows = await db.query<{ id: number }>('select id from invitations where lower(email) = $1', [email]);
  return rows.map(({ id }) => id);
}

/** Deletes the account with everything that belongs only to it. Invitations that it accepted stay, without the address. */
export async function deleteAccount(db: Queryable, { id, email }: AccountIdentity): Promise<void> {
  await db.query('delete from account_tokens where user_id = $1', [id]);
  await db.query('delete from cli_sessions where user_id = $1', [id]);
  await db.query('delete from oauth_codes where user_id = $1', [id]);
  await db.query('delete from invitations where (lower(email) = $1 or invited_by = $2) and accepted_at is null', [
    email,
    id,
  ]);
  await db.query(`update invitations set email = 'erased' where lower(email) = $1`, [email]);
  await db.query(
    'delete from verifications where position($1 in identifier) > 0 or position($1 in value) > 0 or value = $2',
    [email, id],
  );
  await db.query('delete from users where id = $1', [id]);
}

/** New workspaces are called like their first owner, or their address. Such workspaces get another name. */
export async function updateWorkspacesNamedAfter(
  db: Queryable,
  workspaceId: number | null,
  { name, email }: AccountIdentity,
): Promise<void> {
  await db.query(
    `update advertisers set name = 'Workspace ' || id where lower(name) = $3 or (id = $1 and lower(name) = lower($2))`,
    [workspaceId, name, email],
  );
}
