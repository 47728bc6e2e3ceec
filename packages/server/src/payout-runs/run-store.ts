import type { OmissionReason, PayoutRunStatus } from '@svc/contract';
import type { Actor } from '../audit/audit-store.ts';
import type { Queryable } from '../db/db.ts';

/** What a run was asked for. */
export type RunRequest = {
  cutoffAt: Date | null;
  currency: string | null;
  partnerIds: number[] | null;
  excludedPartnerIds: number[];
  /** Why partners are excluded, by their ids. */
  exclusionNotes: Record<string, string>;
  /** The Idempotency-Key of the request, hashed, by which a repetition finds the run. */
  keyHash?: string;
  /** Whether nobody asked, but the schedule made it. */
  isScheduled?: true;
};

/** How far the preparation of a run is, and what any node needs to go on with it. */
export type Preparation = {
  /** Without the account, which the run names itself, and forgets when it is erased. */
  actor: Omit<Actor, 'userId'>;
  /** As they were when it began: the same for everybody. */
  minimumCents: Record<string, number>;
  /** Partners up to this one have had their turn. */
  afterPartnerId: number;
  /** Whether everybody has had their turn. */
  isChosen: boolean;
  /**
   * How many partners have had their turn, of how many who were due at the start: null if that would have taken long to count.
   * Nodes of an earlier release count neither.
   */
  partnersDone?: number;
  partnersTotal?: number | null;
};

export type NewRun = {
  programId: number;
  cutoffAt: Date;
  twoPersons: boolean;
  request: RunRequest;
  minimumCents: Record<string, number>;
  actor: Actor;
  partnersTotal: number | null;
};

/** Inserts a draft that is yet to be prepared, with the next number of the program, whose settings are locked. Returns its id. */
export async function insertUnprepared(
  tx: Queryable,
  { programId, cutoffAt, twoPersons, request, minimumCents, actor, partnersTotal }: NewRun,
  now: Date,
): Promise<number> {
  const preparation: Preparation = {
    actor: withoutAccount(actor),
    minimumCents,
    afterPartnerId: 0,
    isChosen: false,
    partnersDone: 0,
    partnersTotal,
  };
  const [run] = await tx.query<{ id: number }>(
    `insert into payout_runs
       (program_id, number, cutoff_at, two_persons, request, made_by, created_at, prepared_at, preparation)
     select $1, coalesce(max(number), 0) + 1, $2, $3, $4, $5, $6, null, $7 from payout_runs where program_id = $1
     returning id`,
    [programId, cutoffAt, twoPersons, JSON.stringify(request), actor.userId, now, JSON.stringify(preparation)],
  );
  return run!.id;
}

/** What the audit log looks up by the account, once the run is prepared, is not kept beside it. */
function withoutAccount({ userId, id, name, ...actor }: Actor): Omit<Actor, 'userId'> {
  return {
    ...actor,
    ...(id !== undefined && id !== userId && { id }),
    ...(name !== undefined && userId === null && { name }),
  };
}

/** The run of the program that is being prepared; null if none is. */
export async function findUnprepared(db: Queryable, programId: number): Promise<number | null> {
  const [run] = await db.query<{ id: number }>(
    'select id from payout_runs where program_id = $1 and prepared_at is null',
    [programId],
  );
  return run?.id ?? null;
}

/**
 * The run that the same request with the same Idempotency-Key has started since then, prepared or not; null if there is none. The
 * answer may have been lost with the node that made it. Notes do not count: they may have named a customer who was erased since.
 */
export async function findRepeated(
  db: Queryable,
  programId: number,
  request: RunRequest,
  since: Date,
): Promise<number | null> {
  if (request.keyHash === undefined) return null;
  const [run] = await db.query<{ id: number }>(
    `select id from payout_runs
     where program_id = $1 and request - 'exclusionNotes' = $2::jsonb - 'exclusionNotes' and created_at > $3`,
    [programId, JSON.stringify(request), since],
  );
  return run?.id ?? null;
}

/** The runs of all programs that are being prepared. */
export async function listUnprepared(db: Queryable): Promise<number[]> {
  const rows = await db.query<{ id: number }>('select id from payout_runs where prepared_at is null order by id', []);
  return rows.map(({ id }) => id);
}

export type UnpreparedRun = {
  id: number;
  number: number;
  programId: number;
  workspaceId: number;
  cutoffAt: Date;
  request: Omit<RunRequest, 'cutoffAt'>;
  preparation: Preparation;
  actor: Actor;
};

/** A run that is being prepared, by nobody else before the transaction ends. Null if it is prepared, or gone. */
export async function lockUnprepared(tx: Queryable, runId: number): Promise<UnpreparedRun | null> {
  const [run] = await tx.query<Omit<UnpreparedRun, 'actor'> & { madeBy: string | null }>(
    `select r.id, r.number, r.program_id as "programId", p.advertiser_id as "workspaceId", r.cutoff_at as "cutoffAt",
       r.request, r.preparation, r.made_by as "madeBy"
     from payout_runs r join programs p on p.id = r.program_id where r.id = $1 and r.prepared_at is null for update of r`,
    [runId],
  );
  if (!run) return null;
  const { madeBy, ...unprepared } = run;
  return { ...unprepared, actor: { ...run.preparation.actor, userId: madeBy } };
}

/**
 * Notes how far the preparation is. The transaction does not wait for the disk: what is lost with the database server, all of it or
 * nothing, is prepared again, and `updatePrepared` waits for the disk for all of them.
 */
export async function updatePreparation(tx: Queryable, runId: number, preparation: Preparation): Promise<void> {
  await tx.query(
    `with unflushed as materialized (select set_config('synchronous_commit', 'off', true) as setting)
     update payout_runs set preparation = $2 from unflushed where id = $1 and setting = 'off'`,
    [runId, JSON.stringify(preparation)],
  );
}

/** From now on, everybody sees the run and its payouts. */
export async function updatePrepared(tx: Queryable, runId: number, now: Date): Promise<void> {
  await tx.query('update payout_runs set prepared_at = $2, preparation = null where id = $1', [runId, now]);
}

export async function isRunPrepared(db: Queryable, runId: number): Promise<boolean> {
  return (await db.query('select 1 from payout_runs where id = $1 and prepared_at is not null', [runId])).length > 0;
}

/** Deletes a run that pays nobody, and who was left out of it. */
export async function deleteRun(tx: Queryable, runId: number): Promise<void> {
  await tx.query('delete from payout_runs where id = $1', [runId]);
}

export type NewOmission = {
  partnerId: number;
  currency: string;
  amountCents: bigint;
  reason: OmissionReason;
  note: string | null;
};

export async function insertOmissions(tx: Queryable, runId: number, omissions: NewOmission[]): Promise<void> {
  if (omissions.length === 0) return;
  const rows = omissions.map(({ partnerId, currency, amountCents, reason, note }) => {
    return { run_id: runId, partner_id: partnerId, currency, amount_cents: String(amountCents), reason, note };
  });
  await tx.query(
    `insert into payout_run_omissions (run_id, partner_id, currency, amount_cents, reason, note)
     select run_id, partner_id, currency, amount_cents, reason, note
     from json_populate_recordset(null::payout_run_omissions, $1::json)`,
    [JSON.stringify(rows)],
  );
}

export type LockedRun = {
  id: number;
  number: number;
  status: PayoutRunStatus;
  twoPersons: boolean;
  madeBy: string | null;
};

const LOCKED = `id, number, status, two_persons as "twoPersons", made_by as "madeBy"`;

/** The run, which nobody else changes before the transaction ends. Null if the program has none with this id, or prepares it. */
export async function lockRun(tx: Queryable, programId: number, runId: number): Promise<LockedRun | null> {
  const [run] = await tx.query<LockedRun>(
    `select ${LOCKED} from payout_runs
     where program_id = $1 and id = $2 and prepared_at is not null for update`,
    [programId, runId],
  );
  return run ?? null;
}

/** Locks the runs that these payouts of the program are part of, in their order. */
export function lockRunsOfPayouts(tx: Queryable, programId: number, payoutIds: number[]): Promise<LockedRun[]> {
  return tx.query<LockedRun>(
    `select ${LOCKED} from payout_runs
     where program_id = $1 and prepared_at is not null
       and id in (select run_id from payouts where program_id = $1 and id = any ($2::bigint[]) and run_id is not null)
     order by id for update`,
    [programId, payoutIds],
  );
}

/** Takes the run to another status. */
export async function updateRunStatus(
  tx: Queryable,
  runId: number,
  status: Exclude<PayoutRunStatus, 'draft'>,
  now: Date,
): Promise<void> {
  await tx.query(`update payout_runs set status = $2, ${status}_at = $3 where id = $1`, [runId, status, now]);
}

export async function updateApprover(tx: Queryable, runId: number, userId: string | null): Promise<void> {
  await tx.query('update payout_runs set approved_by = $2 where id = $1', [runId, userId]);
}

/**
 * Marks those of the sent runs as settled of which no payout is open or sent. Returns their ids. With `offset 0`, the payouts of a
 * run are looked up, even if the statement is planned while there are few.
 */
export async function updateSettled(tx: Queryable, runIds: number[], now: Date): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `update payout_runs r set status = 'settled', settled_at = $2
     where r.id = any ($1::bigint[]) and r.status = 'sent'
       and not exists (select from payouts o where o.run_id = r.id and o.status in ('open', 'sent') offset 0)
     returning r.id`,
    [runIds, now],
  );
  return rows.map(({ id }) => id);
}
