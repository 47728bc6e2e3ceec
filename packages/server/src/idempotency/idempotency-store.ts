import type { Queryable } from '../db/db.ts';

/** A request with a key, as it is stored: hashed, so that neither the key nor the body can be read from it. */
export type KeyedRequest = {
  scope: string;
  bodyHash: string;
  programId: number | null;
  userId: string | null;
};

export type KeptAnswer = { bodyHash: string; status: number | null; sealed: string | null };

/** A repetition gets the first answer for this long. */
const KEPT = `interval '24 hours'`;
/** Longer than any request takes. A claim that is still open after this belongs to a node that failed. */
const ABANDONED = `interval '60 seconds'`;

// Time is the database's here, so that a node whose clock is wrong takes over no claims.
const INSERT_CLAIM = `
  with claimed as (
    insert into idempotency_keys as k (scope, claim, body_hash, program_id, user_id, created_at)
    values ($1, $2, $3, $4, $5, now())
    on conflict (scope) do update set claim = excluded.claim, body_hash = excluded.body_hash, program_id = excluded.program_id,
      user_id = excluded.user_id, status = null, answer_sealed = null, created_at = excluded.created_at
    where k.created_at < now() - ${KEPT} or (k.status is null and k.created_at < now() - ${ABANDONED})
    returning 1)
  select true as "isClaimed", null as "bodyHash", null as status, null as sealed from claimed
  union all
  select false, body_hash, status, answer_sealed from idempotency_keys
  where scope = $1 and not exists (select 1 from claimed)`;

type Row = KeptAnswer & { isClaimed: boolean };

/**
 * Claims the key for a request. Returns null if that succeeded, otherwise what is known about the request that has it. Of
 * several requests at the same moment, one gets it.
 */
export async function insertClaim(db: Queryable, request: KeyedRequest, claim: string): Promise<KeptAnswer | null> {
  const { scope, bodyHash, programId, userId } = request;
  const [row] = await db.query<Row>(INSERT_CLAIM, [scope, claim, bodyHash, programId, userId]);
  // A request that began after this statement did is in progress, but not visible to it.
  if (!row) return { bodyHash, status: null, sealed: null };
  return row.isClaimed ? null : row;
}

/** Keeps the answer, unless another request has taken over the claim. */
export async function updateAnswer(
  db: Queryable,
  { scope, claim }: { scope: string; claim: string },
  { status, sealed }: { status: number; sealed: string },
): Promise<void> {
  await db.query(
    'update idempotency_keys set status = $3, answer_sealed = $4 where scope = $1 and claim = $2 and status is null',
    [scope, claim, status, sealed],
  );
}

/** Gives up a claim without an answer: the next request with the key is the first one again. */
export async function deleteClaim(db: Queryable, { scope, claim }: { scope: string; claim: string }): Promise<void> {
  await db.query('delete from idempotency_keys where scope = $1 and claim = $2 and status is null', [scope, claim]);
}

/** Deletes answers that are no longer kept, and claims that were abandoned. Returns how many. */
export async function deleteOldKeys(db: Queryable): Promise<number> {
  const rows = await db.query(
    `delete from idempotency_keys
     where created_at < now() - ${KEPT} or (status is null and created_at < now() - ${ABANDONED}) returning 1`,
    [],
  );
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

/** Deletes the answers to an account, which nobody can ask for anymore. */
export async function deleteAnswersTo(db: Queryable, userId: string): Promise<void> {
  await db.query('delete from idempotency_keys where user_id = $1', [userId]);
}
