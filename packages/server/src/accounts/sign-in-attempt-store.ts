import type { Queryable } from '../db/db.ts';
import { hashSecretToken } from './secret-token.ts';

const FREE_ATTEMPTS = 5;
const FIRST_WAIT_MS = 15_000;
const MAX_WAIT_MS = 15 * 60_000;
/** Longer than a code is valid, with all that clocks may differ. */
const CODE_LIFETIME_MS = 5 * 60_000;
const FORGOTTEN_AFTER_MS = 86_400_000;

// The first attempts need no wait; after them, each failure doubles it.
const WAIT = `case when a.count < ${FREE_ATTEMPTS} then 0
  else least($3::bigint, ${FIRST_WAIT_MS} * power(2, least(a.count, 40) - ${FREE_ATTEMPTS})) end`;

const keyOf = (what: string, of: string) => `${what}:${hashSecretToken(of).slice(0, 32)}`;

const SECRETS = ['account', 'code', 'recovery code'] as const;
type Secret = (typeof SECRETS)[number];

/** Where an attempt comes from: a session, a device that the account was used on before, or anywhere else. */
export type TriedFrom = 'elsewhere' | InSession | OnDevice;
/** By its token: its id changes when tokens of the account are revoked, and would then bring new attempts. */
type InSession = { sessionToken: string };
type OnDevice = { knownDevice: string };

/**
 * Under what attempts at a secret of an account are counted. What strangers try counts together, wherever they are. Sessions and
 * known devices each have a count of their own, so that strangers keep nobody out of them.
 */
export function attemptsFrom(from: TriedFrom, secret: Secret, account: string): string {
  if (from === 'elsewhere') return keyOf(secret, account);
  if ('sessionToken' in from) return keyOf(`${secret} in session`, from.sessionToken);
  return keyOf(`${secret} on device`, `${account} ${from.knownDevice}`);
}

/**
 * Counts an attempt at the account's password or code before it is checked, so that concurrent attempts cannot escape the limit.
 * Returns how many milliseconds to wait when it is too early for another one, which is then not counted, and 0
 * otherwise.
 */
export async function countAttempt(
  db: Queryable,
  key: string,
  now: Date,
  maxWaitMs: number = MAX_WAIT_MS,
): Promise<number> {
  const counted = await db.query(
    `insert into sign_in_attempts as a (id, key, count, last_request) values (gen_random_uuid()::text, $1, 1, $2::bigint)
     on conflict (key) do update set last_request = $2::bigint,
       count = case when a.last_request < $2::bigint - ${FORGOTTEN_AFTER_MS} then 1 else a.count + 1 end
     where a.last_request + ${WAIT} <= $2::bigint returning count`,
    [key, now.getTime(), maxWaitMs],
  );
  if (counted.length > 0) return 0;
  const [row] = await db.query<{ wait: number }>(
    `select (a.last_request + ${WAIT} - $2::bigint)::bigint as wait from sign_in_attempts a where a.key = $1`,
    [key, now.getTime(), maxWaitMs],
  );
  return Math.max(1, row?.wait ?? 1);
}

/** Claims a code, so that a person who has seen it cannot use it again; false when it was tried before. */
export async function insertCodeUse(db: Queryable, key: string, now: Date): Promise<boolean> {
  const rows = await db.query(
    `insert into sign_in_attempts as a (id, key, count, last_request) values (gen_random_uuid()::text, $1, 1, $2::bigint)
     on conflict (key) do update set last_request = $2::bigint
     where a.last_request < $2::bigint - ${CODE_LIFETIME_MS} returning id`,
    [key, now.getTime()],
  );
  return rows.length > 0;
}

/** Deletes the attempts at an account, after one that succeeded. */
export async function deleteAttempts(db: Queryable, key: string): Promise<void> {
  await db.query('delete from sign_in_attempts where key = $1', [key]);
}

/** Deletes all attempts at the secrets of an account that is about to be deleted. */
export async function deleteAttemptsAt(db: Queryable, { id, email }: { id: string; email: string }): Promise<void> {
  const sessions = await db.query<InSession>('select token as "sessionToken" from sessions where user_id = $1', [id]);
  const devices = await db.query<OnDevice>(
    'select device_hash as "knownDevice" from known_devices where user_id = $1',
    [id],
  );
  const places: TriedFrom[] = ['elsewhere', ...sessions, ...devices];
  const keys = places.flatMap((from) =>
    SECRETS.map((secret) => attemptsFrom(from, secret, secret === 'account' ? email : id)),
  );
  await db.query('delete from sign_in_attempts where key = any ($1::text[])', [keys]);
}

export async function deleteOldAttempts(db: Queryable, before: Date): Promise<void> {
  await db.query('delete from sign_in_attempts where last_request < $1::bigint', [before.getTime()]);
}
