import { IS_PREPARED } from '../commissions/payout-coverage-store.ts';
import type { Queryable } from '../db/db.ts';
import type { LockedPayout } from '../payouts/payout-store.ts';

export type RunPayoutRow = LockedPayout & {
  endToEndId: string;
  partnerId: number;
  partnerName: string;
  currency: string;
  amountCents: number;
  methodId: number | null;
};

/** The payouts of a run, in the order of their ids. While the run is locked, nobody else changes them. */
export function listPayoutsOfRun(db: Queryable, runId: number): Promise<RunPayoutRow[]> {
  return db.query<RunPayoutRow>(
    `select o.id, o.status, o.reference, o.not_in_file as "notInFile", o.run_id as "runId", o.end_to_end_id as "endToEndId",
       o.partner_id as "partnerId", p.name as "partnerName", o.currency, o.amount_cents as "amountCents",
       o.method_id as "methodId"
     from payouts o join partners p on p.id = o.partner_id where o.run_id = $1 order by o.id`,
    [runId],
  );
}

/** The ids of the payouts of a run, in their order. */
export async function listPayoutIds(db: Queryable, runId: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>('select id from payouts where run_id = $1 order by id', [runId]);
  return rows.map(({ id }) => id);
}

/** Which of these payouts of the program are part of another run than this one, or of none. */
export function listOtherPayouts(
  db: Queryable,
  programId: number,
  runId: number,
  payoutIds: number[],
): Promise<{ id: number; partnerName: string; status: LockedPayout['status'] }[]> {
  return db.query(
    `select o.id, p.name as "partnerName", o.status from payouts o join partners p on p.id = o.partner_id
     where o.program_id = $1 and o.id = any ($3::bigint[]) and o.run_id is distinct from $2
       and ${IS_PREPARED}`,
    [programId, runId, payoutIds],
  );
}
