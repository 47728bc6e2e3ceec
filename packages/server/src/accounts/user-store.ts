import type { Queryable } from '../db/db.ts';

export type User = {
  id: string;
  name: string;
  email: string;
  /** How the person wants to be paid, as free text. The brands they are a partner of can see it. */
  payoutDetails: string | null;
  suspendedAt: Date | null;
};

const COLUMNS = 'id, name, email, payout_details as "payoutDetails", suspended_at as "suspendedAt"';

export async function findUser(db: Queryable, id: string): Promise<User | null> {
  const [user] = await db.query<User>(`select ${COLUMNS} from users where id = $1`, [id]);
  return user ?? null;
}

export async function findUserByEmail(db: Queryable, email: string): Promise<User | null> {
  const [user] = await db.query<User>(`select ${COLUMNS} from users where email = lower($1)`, [email]);
  return user ?? null;
}

/** Suspends the account and ends its sessions in one step, or restores it. */
export async function updateSuspension(db: Queryable, userId: string, suspendedAt: Date | null): Promise<void> {
  await db.query(
    `with ended as (delete from sessions where user_id = $1 and $2::timestamptz is not null)
     update users set suspended_at = $2 where id = $1`,
    [userId, suspendedAt],
  );
}

/** Adds a user who signed in at the outside issuer. Concurrent calls for one e-mail get the same row. */
export async function insertUser(db: Queryable, user: { email: string; name: string }, now: Date): Promise<User> {
  const [row] = await db.query<User>(
    `insert into users (id, name, email, email_verified, created_at, updated_at)
     values (gen_random_uuid()::text, $1, lower($2), true, $3, $3)
     on conflict (email) do update set updated_at = excluded.updated_at
     returning ${COLUMNS}`,
    [user.name, user.email, now],
  );
  return row as User;
}

/** Changes the given fields and leaves the rest; `payoutDetails: null` clears them. */
export async function updateProfile(
  db: Queryable,
  userId: string,
  changes: { name?: string; payoutDetails?: string | null },
  now: Date,
): Promise<User> {
  const [user] = await db.query<User>(
    `update users set name = coalesce($2, name), updated_at = $5,
       payout_details = case when $3 then $4 else payout_details end
     where id = $1 returning ${COLUMNS}`,
    [userId, changes.name ?? null, changes.payoutDetails !== undefined, changes.payoutDetails ?? null, now],
  );
  return user as User;
}
