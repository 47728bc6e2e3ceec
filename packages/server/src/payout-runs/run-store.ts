import type { OmissionReason, PayoutRunStatus } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import type { Sum } from '../db/lists/sum.ts';

/** What a run was asked for. */
export type RunRequest = {
  cutoffAt: Date | null;
  currency: string | null;
  partnerIds: number[] | null;
  excludedPartnerIds: number[];
  /** Why partners are excluded, by their ids. */
  exclusionNotes: Record<string, string>;
};

export type NewRun = {
  programId: number;
  cutoffAt: Date;
  twoPersons: boolean;
  request: RunRequest;
  madeBy: string | null;
};

/** Inserts a draft with the next number of the program, whose settings are locked. */
export async function insertRun(
  tx: Queryable,
  { programId, cutoffAt, twoPersons, request, madeBy }: NewRun,
  now: Date,
): Promise<{ id: number; number: number }> {
  const [run] = await tx.query<{ id: number; number: number }>(
    `insert into payout_runs (program_id, number, cutoff_at, two_persons, request, made_by, created_at)
     select $1, coalesce(max(number), 0) + 1, $2, $3, $4, $5, $6 from payout_runs where program_id = $1
     returning id, number`,
    [programId, cutoffAt, twoPersons, JSON.stringify(request), madeBy, now],
  );
  return run!;
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

/** The run, which nobody else changes before the transaction ends. Null if the program has none with this id. */
export async function lockRun(tx: Queryable, programId: number, runId: number): Promise<LockedRun | null> {
  const [run] = await tx.query<LockedRun>(
    `select ${LOCKED} from payout_runs where program_id = $1 and id = $2 for update`,
    [programId, runId],
  );
  return run ?? null;
}

/** Locks the runs that these payouts of the program are part of, in their order. */
export function lockRunsOfPayouts(tx: Queryable, programId: number, payoutIds: number[]): Promise<LockedRun[]> {
  return tx.query<LockedRun>(
    `select ${LOCKED} from payout_runs
     where program_id = $1
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

/** Marks those of the sent runs as settled of which no payout is open or sent. Returns their ids. */
export async function updateSettled(tx: Queryable, runIds: number[], now: Date): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `update payout_runs r set status = 'settled', settled_at = $2
     where r.id = any ($1::bigint[]) and r.status = 'sent'
       and not exists (select from payouts o where o.run_id = r.id and o.status in ('open', 'sent'))
     returning r.id`,
    [runIds, now],
  );
  return rows.map(({ id }) => id);
}

export type RunTotal = { currency: string; amountCents: Sum; payouts: number };
