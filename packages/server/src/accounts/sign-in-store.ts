import type { Queryable } from '../db/db.ts';
import { deleteSecondFactors } from './factors/second-factor-store.ts';
import { USER_COLUMNS, type User } from './user-store.ts';

/** A user of an outside issuer: the issuer and its subject for them. */
export type OutsidePerson = { issuer: string; subject: string };

// The sign-in library's rows: `provider_id` is "credential" for passwords, and the issuer for outside sign-ins.

export async function findUserOfOutsidePerson(db: Queryable, person: OutsidePerson): Promise<User | null> {
  const [user] = await db.query<User>(
    `select ${USER_COLUMNS} from users where id = (
       select user_id from sign_ins where provider_id = $1 and account_id = $2 and provider_id <> 'credential')`,
    [person.issuer, person.subject],
  );
  return user ?? null;
}

/** Whether the account is connected to a user of the issuer. */
export async function hasOutsideSignIn(db: Queryable, userId: string, issuer: string): Promise<boolean> {
  const rows = await db.query('select 1 from sign_ins where user_id = $1 and provider_id = $2', [userId, issuer]);
  return rows.length > 0;
}

export async function insertOutsideSignIn(
  db: Queryable,
  userId: string,
  person: OutsidePerson,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into sign_ins (id, account_id, provider_id, user_id, created_at, updated_at)
     values (gen_random_uuid()::text, $3, $2, $1, $4, $4)`,
    [userId, person.issuer, person.subject, now],
  );
}

/** Deletes every way to sign in to the account, with its second factors and sessions. */
export async function deleteSignIns(db: Queryable, userId: string): Promise<void> {
  await deleteSecondFactors(db, userId);
  await db.query('with ended as (delete from sessions where user_id = $1) delete from sign_ins where user_id = $1', [
    userId,
  ]);
}

/** Sets the password of the account, and ends its sessions. */
export async function updatePassword(db: Queryable, userId: string, passwordHash: string, now: Date): Promise<void> {
  await db.query(
    `with ended as (delete from sessions where user_id = $1),
       changed as (
         update sign_ins set password = $2, updated_at = $3
         where user_id = $1 and provider_id = 'credential' returning id
       )
     insert into sign_ins (id, account_id, provider_id, user_id, password, created_at, updated_at)
     select gen_random_uuid()::text, $1, 'credential', $1, $2, $3, $3 where not exists (select 1 from changed)`,
    [userId, passwordHash, now],
  );
}

export async function deleteExpiredSessions(db: Queryable, before: Date): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `with old_verifications as (delete from verifications where expires_at < $1),
       old_sessions as (delete from sessions where expires_at < $1 returning 1)
     select count(*) as count from old_sessions`,
    [before],
  );
  return rows[0]?.count ?? 0;
}
