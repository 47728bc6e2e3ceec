import type { Queryable } from '../db/db.ts';
import { accountOwner } from './kept-bytes.ts';

/** A request with a key, as it is stored: hashed, so that neither the key nor the body can be read from it. */
export type KeyedRequest = {
  scope: string;
  bodyHash: string;
  programId: number | null;
  userId: string | null;
};

/** For whom the bytes of an answer are counted, how many it may become, and how many a day may have. */
export type Space = { owner: string; reservedBytes: number; bytesPerDay: number };

export type KeptAnswer = { bodyHash: string; claim: string; status: number | null; sealed: string | null };

/** What became of an attempt to claim a key: the day on which its answer counts, what is known of an earlier request, or no space. */
export type ClaimResult =
  | { is: 'claimed'; day: string }
  | { is: 'known'; answer: KeptAnswer }
  | { is: 'full'; secondsToNextDay: number };

/** A claim, and where its answer is counted. */
export type CountedClaim = { scope: string; claim: string; owner: string; day: string; reservedBytes: number };

/** A repetition gets the first answer for this long. */
const KEPT = `interval '24 hours'`;
/** Longer than any request takes. A claim that is still open after this belongs to a node that failed. */
const ABANDONED = `interval '60 seconds'`;

const SECONDS_TO_NEXT_DAY = `ceil(extract(epoch from
  date_trunc('day', now() at time zone 'UTC') + interval '1 day' - (now() at time zone 'UTC')))::int`;

// Time is the database's here, so that a node whose clock is wrong takes over no claims.
const INSERT_CLAIM = `
  with claimed as (
    insert into idempotency_keys as k (scope, claim, body_hash, program_id, user_id, created_at)
    values ($1, $2, $3, $4, $5, now())
    on conflict (scope) do update set claim = excluded.claim, body_hash = excluded.body_hash, program_id = excluded.program_id,
      user_id = excluded.user_id, status = null, answer_sealed = null, created_at = excluded.created_at
    where k.created_at < now() - ${KEPT} or (k.status is null and k.created_at < now() - ${ABANDONED})
    returning 1),
  counted as (
    insert into kept_answer_days as d (owner, day, bytes)
    select $6, (now() at time zone 'UTC')::date, $7 from claimed
    on conflict (owner, day) do update set bytes = d.bytes + excluded.bytes where d.bytes + excluded.bytes <= $8
    returning day::text)
  select true as "isClaimed", (select day from counted) as day, ${SECONDS_TO_NEXT_DAY} as "secondsToNextDay",
    null as "bodyHash", null as claim, null as status, null as sealed from claimed
  union all
  select false, null, null, body_hash, claim::text, status, answer_sealed from idempotency_keys
  where scope = $1 and not exists (select 1 from claimed)`;

type Row = KeptAnswer & ({ isClaimed: true; day: string | null; secondsToNextDay: number } | { isClaimed: false });

/**
 * Claims the key for a request, if the answers of the day leave space for its answer. Of several requests at the same moment,
 * one gets the key, and together they never get more space than there is.
 */
export async function insertClaim(
  db: Queryable,
  request: KeyedRequest,
  claim: string,
  { owner, reservedBytes, bytesPerDay }: Space,
): Promise<ClaimResult> {
  const { scope, bodyHash, programId, userId } = request;
  const values = [scope, claim, bodyHash, programId, userId, owner, reservedBytes, bytesPerDay];
  const [row] = await db.query<Row>(INSERT_CLAIM, values);
  // A request that began after this statement did is in progress, but not visible to it.
  if (!row) return { is: 'known', answer: { bodyHash, claim, status: null, sealed: null } };
  if (!row.isClaimed) return { is: 'known', answer: row };
  if (row.day !== null) return { is: 'claimed', day: row.day };
  await db.query('delete from idempotency_keys where scope = $1 and claim = $2', [scope, claim]);
  return { is: 'full', secondsToNextDay: row.secondsToNextDay };
}

/** Keeps the answer, and counts it as large as it is, unless another request has taken over the claim. */
export async function updateAnswer(
  db: Queryable,
  { scope, claim, owner, day, reservedBytes }: CountedClaim,
  { status, sealed }: { status: number; sealed: string },
): Promise<void> {
  await db.query(
    `with kept as (
       update idempotency_keys set status = $3, answer_sealed = $4 where scope = $1 and claim = $2 and status is null returning 1)
     update kept_answer_days set bytes = bytes + $7 where owner = $5 and day = $6::date and exists (select 1 from kept)`,
    [scope, claim, status, sealed, owner, day, sealed.length - reservedBytes],
  );
}

/** Gives up a claim without an answer: the next request with the key is the first one again. */
export async function deleteClaim(
  db: Queryable,
  { scope, claim, owner, day, reservedBytes }: CountedClaim,
): Promise<void> {
  await db.query(
    `with gone as (delete from idempotency_keys where scope = $1 and claim = $2 and status is null returning 1)
     update kept_answer_days set bytes = bytes - $5 where owner = $3 and day = $4::date and exists (select 1 from gone)`,
    [scope, claim, owner, day, reservedBytes],
  );
}

/** Deletes answers that are no longer kept, and claims that were abandoned. Returns how many. */
export async function deleteOldKeys(db: Queryable): Promise<number> {
  const rows = await db.query(
    `delete from idempotency_keys
     where created_at < now() - ${KEPT} or (status is null and created_at < now() - ${ABANDONED}) returning 1`,
    [],
  );
  // An answer of yesterday may still be kept; its count matters only on its own day.
  await db.query(`delete from kept_answer_days where day < (now() at time zone 'UTC')::date`, []);
  return rows.length;
}

/** Answers of the program that may quote what a caller sent. They stay as they are until the transaction ends. */
export function listAnswersForUpdate(
  db: Queryable,
  programId: number,
  afterId: number,
  limit: number,
): Promise<{ id: number; sealed: string }[]> {
  return db.query(
    `select id, answer_sealed as sealed from idempotency_keys
     where program_id = $1 and id > $2 and answer_sealed is not null order by id limit $3 for update`,
    [programId, afterId, limit],
  );
}

/** Replaces a kept answer by one that names an erased person no more. */
export async function updateErasedAnswer(db: Queryable, id: number, sealed: string): Promise<void> {
  await db.query('update idempotency_keys set answer_sealed = $2 where id = $1', [id, sealed]);
}

/** Deletes the answers to an account, which nobody can ask for now, and their count. */
export async function deleteAnswersTo(db: Queryable, userId: string): Promise<void> {
  await db.query('delete from idempotency_keys where user_id = $1', [userId]);
  await db.query('delete from kept_answer_days where owner = $1', [accountOwner(userId)]);
}
