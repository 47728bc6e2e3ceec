import type { Queryable } from '../../db/db.ts';

export type CliSession = {
  userCode: string;
  /** What the terminal calls itself. Anyone can start a login, so it proves nothing. */
  deviceName: string | null;
  expiresAt: Date;
  userId: string | null;
  consumedAt: Date | null;
};

type NewCliSession = Pick<CliSession, 'userCode' | 'deviceName' | 'expiresAt'> & { stateHash: string };

export async function insertCliSession(db: Queryable, session: NewCliSession, now: Date): Promise<void> {
  await db.query(
    `insert into cli_sessions (state_hash, user_code, device_name, created_at, expires_at)
     values ($1, $2, $3, $4, $5)`,
    [session.stateHash, session.userCode, session.deviceName, now, session.expiresAt],
  );
}

export async function findCliSession(db: Queryable, stateHash: string): Promise<CliSession | null> {
  const [session] = await db.query<CliSession>(
    `select user_code as "userCode", device_name as "deviceName", expires_at as "expiresAt", user_id as "userId",
       consumed_at as "consumedAt"
     from cli_sessions where state_hash = $1`,
    [stateHash],
  );
  return session ?? null;
}

/** Completes the session as the user; false when it is already completed. */
export async function updateSignedIn(db: Queryable, stateHash: string, userId: string): Promise<boolean> {
  const rows = await db.query(
    'update cli_sessions set user_id = $2 where state_hash = $1 and user_id is null returning user_id',
    [stateHash, userId],
  );
  return rows.length > 0;
}

/** Marks the session as consumed; true only for the one poll that gets the token. */
export async function updateConsumed(db: Queryable, stateHash: string, now: Date): Promise<boolean> {
  const rows = await db.query(
    `update cli_sessions set consumed_at = $2
     where state_hash = $1 and user_id is not null and consumed_at is null returning user_id`,
    [stateHash, now],
  );
  return rows.length > 0;
}

/** Ends the user's logins that are still waiting for the poll that returns the token. */
export async function updateLoginsEnded(db: Queryable, userId: string, now: Date): Promise<void> {
  await db.query('update cli_sessions set consumed_at = $2 where user_id = $1 and consumed_at is null', [userId, now]);
}

export async function deleteOldCliSessions(db: Queryable, before: Date): Promise<number> {
  return (await db.query('delete from cli_sessions where expires_at < $1 returning user_code', [before])).length;
}
