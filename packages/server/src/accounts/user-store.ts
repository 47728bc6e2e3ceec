import type { Queryable } from '../db/db.ts';

export type User = {
  id: string;
  name: string;
  email: string;
  suspendedAt: Date | null;
  /** Whether the address is proven to belong to the user. */
  emailVerified: boolean;
};

export const USER_COLUMNS = 'id, name, email, suspended_at as "suspendedAt", email_verified as "emailVerified"';

/** Whether the account has an authenticator app or a passkey. */
export async function hasSecondFactor(db: Queryable, userId: string): Promise<boolean> {
  const rows = await db.query('select 1 from users where id = $1 and two_factor_enabled', [userId]);
  return rows.length > 0;
}

export async function findUser(db: Queryable, id: string): Promise<User | null> {
  const [user] = await db.query<User>(`select ${USER_COLUMNS} from users where id = $1`, [id]);
  return user ?? null;
}

export async function findUserByEmail(db: Queryable, email: string): Promise<User | null> {
  const [user] = await db.query<User>(`select ${USER_COLUMNS} from users where email = lower($1)`, [email]);
  return user ?? null;
}

/** Whether anyone has an account. */
export async function hasUsers(db: Queryable): Promise<boolean> {
  const [found] = await db.query<{ exists: boolean }>('select exists (select from users) as exists');
  return found?.exists ?? false;
}

export async function findUserByEmailForUpdate(db: Queryable, email: string): Promise<User | null> {
  const [user] = await db.query<User>(`select ${USER_COLUMNS} from users where email = lower($1) for update`, [email]);
  return user ?? null;
}

/** The user, locked, so that changes of the account are made one at a time. */
export async function findUserForUpdate(db: Queryable, id: string): Promise<User | null> {
  const [user] = await db.query<User>(`select ${USER_COLUMNS} from users where id = $1 for no key update`, [id]);
  return user ?? null;
}

/** The user, locked so that they cannot be suspended before the transaction ends. */
export async function findUserForShare(db: Queryable, id: string): Promise<User | null> {
  const [user] = await db.query<User>(`select ${USER_COLUMNS} from users where id = $1 for share`, [id]);
  return user ?? null;
}

/** Clears payout details from before methods, because someone other than the proven owner of the address may have entered them. */
export async function updateProven(db: Queryable, userId: string, now: Date): Promise<void> {
  await db.query('update users set email_verified = true, payout_details = null, updated_at = $2 where id = $1', [
    userId,
    now,
  ]);
}

export async function updateVerified(db: Queryable, userId: string, now: Date): Promise<void> {
  await db.query('update users set email_verified = true, updated_at = $2 where id = $1', [userId, now]);
}

/** Gives the account another address, which is proven. */
export async function updateEmail(db: Queryable, userId: string, email: string, now: Date): Promise<void> {
  await db.query('update users set email = lower($2), email_verified = true, updated_at = $3 where id = $1', [
    userId,
    email,
    now,
  ]);
}

/** Suspends the account and ends its sessions in one step, or restores it. */
export async function updateSuspension(db: Queryable, userId: string, suspendedAt: Date | null): Promise<void> {
  await db.query(
    `with ended as (delete from sessions where user_id = $1 and $2::timestamptz is not null)
     update users set suspended_at = $2 where id = $1`,
    [userId, suspendedAt],
  );
}

/** Adds a user whose address is proven; null when the address has an account. */
export async function insertNewUser(
  db: Queryable,
  user: { email: string; name: string },
  now: Date,
): Promise<User | null> {
  const [row] = await db.query<User>(
    `insert into users (id, name, email, email_verified, created_at, updated_at)
     values (gen_random_uuid()::text, $1, lower($2), true, $3, $3)
     on conflict (email) do nothing
     returning ${USER_COLUMNS}`,
    [user.name, user.email, now],
  );
  return row ?? null;
}

/** Changes the name, if one is given. */
export async function updateProfile(
  db: Queryable,
  userId: string,
  { name }: { name?: string | undefined },
  now: Date,
): Promise<User> {
  const [user] = await db.query<User>(
    `update users set name = coalesce($2, name), updated_at = $3 where id = $1 returning ${USER_COLUMNS}`,
    [userId, name ?? null, now],
  );
  return user as User;
}

/** Some of the users whose payout details are still a text. Until 0.4.0. */
export async function listPayoutTexts(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>('select id from users where payout_details is not null limit $1', [
    limit,
  ]);
  return rows.map(({ id }) => id);
}

/** Takes the text out of the user's row and returns it; null when there is none. Until 0.4.0. */
export async function updatePayoutTextTaken(db: Queryable, userId: string): Promise<string | null> {
  const [taken] = await db.query<{ text: string }>(
    `with old as (
       select id, payout_details as text from users where id = $1 and payout_details is not null for no key update
     )
     update users u set payout_details = null from old where u.id = old.id returning old.text`,
    [userId],
  );
  return taken?.text ?? null;
}
