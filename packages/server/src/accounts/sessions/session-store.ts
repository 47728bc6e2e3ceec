import type { Queryable } from '../../db/db.ts';

export type ListedSession = {
  id: string;
  userAgent: string | null;
  ipAddress: string | null;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date;
};

const MAX_LISTED = 200;

/** The browsers in which the account is signed in, the last one used first. */
export function listSessions(db: Queryable, userId: string, now: Date): Promise<ListedSession[]> {
  return db.query<ListedSession>(
    `select id, user_agent as "userAgent", ip_address as "ipAddress", created_at as "createdAt",
       last_used_at as "lastUsedAt", expires_at as "expiresAt"
     from sessions where user_id = $1 and expires_at > $2
     order by coalesce(last_used_at, created_at) desc, id limit ${MAX_LISTED}`,
    [userId, now],
  );
}

/** Whether the account has this session. It cannot end, or get another id, before the transaction ends. */
export async function hasSessionForShare(
  db: Queryable,
  { userId, sessionId }: { userId: string; sessionId: string },
  now: Date,
): Promise<boolean> {
  // The user is locked first, as by the transaction that deletes the account.
  const rows = await db.query(
    `select 1 from users u join sessions s on s.user_id = u.id
     where u.id = $1 and s.id = $2 and s.expires_at > $3 for key share`,
    [userId, sessionId, now],
  );
  return rows.length > 0;
}

/** Gives the account's sessions other ids. They go on, because their cookies do not contain it; id tokens that name it end. */
export async function updateSessionIds(db: Queryable, userId: string): Promise<void> {
  await db.query('update sessions set id = gen_random_uuid()::text where user_id = $1', [userId]);
}

/** Ends one of the account's sessions; false when it has no such session. */
export async function deleteSession(db: Queryable, userId: string, sessionId: string): Promise<boolean> {
  const rows = await db.query('delete from sessions where id = $2 and user_id = $1 returning id', [userId, sessionId]);
  return rows.length > 0;
}

/** Ends all sessions of the account except one; returns how many. */
export async function deleteOtherSessions(db: Queryable, userId: string, keptId: string | null): Promise<number> {
  const rows = await db.query('delete from sessions where user_id = $1 and id is distinct from $2 returning id', [
    userId,
    keptId,
  ]);
  return rows.length;
}

/** Records that the user of the session has just given a password, a code or a passkey. */
export async function updateSessionProved(db: Queryable, sessionId: string, now: Date): Promise<void> {
  await db.query('update sessions set proved_at = $2 where id = $1', [sessionId, now]);
}

/** The same, with a code or a recovery code. */
export async function updateFactorProved(db: Queryable, sessionId: string, now: Date): Promise<void> {
  await db.query('update sessions set proved_at = $2, factor_proved_at = $2 where id = $1', [sessionId, now]);
}

/** Records a use, unless one was recorded since `before`, so that concurrent requests write once. */
export async function updateSessionUsed(db: Queryable, sessionId: string, now: Date, before: Date): Promise<void> {
  await db.query(
    'update sessions set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at <= $3)',
    [sessionId, now, before],
  );
}
