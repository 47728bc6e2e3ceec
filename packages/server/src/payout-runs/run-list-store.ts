import type { LeftOut, PayoutRunPreparation, PayoutRunStatus, PayoutRunSummary, RunPayout } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { timesAsText } from '../db/lists/sorted-list.ts';
import { toSum } from '../db/lists/sum.ts';
import type { Preparation, RunRequest } from './run-store.ts';

const person = (as: string) =>
  `case when ${as}.id is null then null else json_build_object('user_id', ${as}.id, 'name', ${as}.name) end`;

// Sums come as text, because they may be larger than the largest integer of the database.
const RUNS = `
  select r.id, r.number, r.status, r.cutoff_at, r.two_persons, r.created_at, r.approved_at, r.sent_at, r.settled_at,
    r.cancelled_at, r.request ? 'isScheduled' as scheduled, ${person('maker')} as made_by, ${person('approver')} as approved_by,
    coalesce(t.totals, '[]') as totals,
    (select count(*) from payout_run_omissions x where x.run_id = r.id) as left_out_count
  from payout_runs r left join users maker on maker.id = r.made_by left join users approver on approver.id = r.approved_by
    left join lateral (
      select json_agg(json_build_object('currency', s.currency, 'amount_cents', s.cents::text, 'payouts', s.payouts)
        order by s.currency) as totals
      from (select currency, sum(amount_cents) as cents, count(*) as payouts from payouts where run_id = r.id group by 1) s
    ) t on true`;

type RunRow = Omit<PayoutRunSummary, 'totals'> & {
  totals: { currency: string; amount_cents: string; payouts: number }[];
};

function summaryOf(row: RunRow): PayoutRunSummary {
  const totals = row.totals.map((total) => ({ ...total, amount_cents: toSum(total.amount_cents) }));
  return timesAsText<PayoutRunSummary>({ ...row, totals });
}

/** Runs of the program, newest first. */
export async function listRuns(
  db: Queryable,
  programId: number,
  { status, beforeId, limit }: { status: PayoutRunStatus | null; beforeId: number | null; limit: number },
): Promise<PayoutRunSummary[]> {
  const rows = await db.query<RunRow>(
    `${RUNS} where r.program_id = $1 and r.prepared_at is not null and ($2::text is null or r.status = $2) 
       and ($3::bigint is null or r.id < $3)
     order by r.id desc limit $4`,
    [programId, status, beforeId, limit],
  );
  return rows.map(summaryOf);
}

/** How far the run is that the program prepares now; null if it prepares none. */
export async function findPreparation(db: Queryable, programId: number): Promise<PayoutRunPreparation | null> {
  const [run] = await db.query<{ created_at: Date; preparation: Preparation }>(
    'select created_at, preparation from payout_runs where program_id = $1 and prepared_at is null',
    [programId],
  );
  if (!run) return null;
  const { partnersDone = 0, partnersTotal = null } = run.preparation;
  return {
    started_at: run.created_at.toISOString(),
    // Others may have become due since they were counted.
    partners_done: Math.min(partnersDone, partnersTotal ?? partnersDone),
    partners_total: partnersTotal,
  };
}

export async function findRunSummary(
  db: Queryable,
  programId: number,
  runId: number,
): Promise<PayoutRunSummary | null> {
  const [row] = await db.query<RunRow>(`${RUNS} where r.program_id = $1 and r.prepared_at is not null and r.id = $2`, [
    programId,
    runId,
  ]);
  return row ? summaryOf(row) : null;
}

/** What a run was asked for. */
export async function findRunRequest(db: Queryable, runId: number): Promise<RunRequest> {
  const [run] = await db.query<{ request: RunRequest }>('select request from payout_runs where id = $1', [runId]);
  return run!.request;
}

/** The payouts of a run, by the name of the partner. */
export async function listRunPayouts(db: Queryable, runId: number): Promise<RunPayout[]> {
  const rows = await db.query<Omit<RunPayout, 'method'> & { kind: string | null; masked: string | null }>(
    `select o.id, o.partner_id, p.name as partner_name, o.currency, o.amount_cents, o.method_kind as kind,
       o.method_masked as masked, o.status, o.not_in_file, o.reference, o.failure_code, o.failure_reason
     from payouts o join partners p on p.id = o.partner_id where o.run_id = $1 order by lower(p.name), o.partner_id, o.id`,
    [runId],
  );
  return rows.map(({ kind, masked, ...row }) => ({
    ...row,
    method: kind === null ? null : { kind, masked: masked ?? '' },
  }));
}

/** Who was left out of a run, by name. */
export async function listLeftOut(db: Queryable, runId: number): Promise<LeftOut[]> {
  const rows = await db.query<Omit<LeftOut, 'amount_cents'> & { cents: string }>(
    `select x.partner_id, p.name as partner_name, x.currency, x.amount_cents::text as cents, x.reason, x.note
     from payout_run_omissions x join partners p on p.id = x.partner_id where x.run_id = $1
     order by lower(p.name), x.partner_id, x.currency`,
    [runId],
  );
  return rows.map(({ cents, ...row }) => ({ ...row, amount_cents: toSum(cents) }));
}
