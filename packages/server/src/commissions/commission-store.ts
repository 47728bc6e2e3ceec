import type { CommissionStage, CommissionStatus, CommissionType } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { COMMISSION_STATUS, canMake, type Reversal, TRANSITIONS } from './commission-state.ts';

// The only statements that write commissions. Whoever locks several of them does so in the order of their ids.

export type NewCommission = {
  saleId: number;
  programId: number;
  partnerId: number;
  commissionType: CommissionType;
  commissionRate: string;
  /** Exact, also where it is too large for a number. */
  cents: bigint;
  currency: string;
  approveAfter: Date;
  createdAt: Date;
  deductedCents?: number;
  reversal?: Reversal;
};

const INSERT_COMMISSIONS = `
  insert into commissions (sale_id, program_id, partner_id, commission_type, commission_rate, commission_cents,
    deducted_cents, reversal, currency, approve_after, created_at)
  select sale_id, program_id, partner_id, commission_type, commission_rate, commission_cents,
    deducted_cents, reversal, currency, approve_after, created_at
  from json_populate_recordset(null::commissions, $1::json)
  returning id, sale_id as "saleId"`;

/** Inserts commissions and returns their ids by sale. A sale has at most one. */
export async function insertCommissions(db: Queryable, commissions: NewCommission[]): Promise<Map<number, number>> {
  if (commissions.length === 0) return new Map();
  const input = commissions.map((one) => ({
    sale_id: one.saleId,
    program_id: one.programId,
    partner_id: one.partnerId,
    commission_type: one.commissionType,
    commission_rate: one.commissionRate,
    commission_cents: one.cents.toString(),
    deducted_cents: one.deductedCents ?? 0,
    reversal: one.reversal ?? 'none',
    currency: one.currency,
    approve_after: one.approveAfter,
    created_at: one.createdAt,
  }));
  const rows = await db.query<{ id: number; saleId: number }>(INSERT_COMMISSIONS, [JSON.stringify(input)]);
  return new Map(rows.map(({ id, saleId }) => [saleId, id]));
}

export type ReviewState = { id: number; status: CommissionStatus; stage: CommissionStage; isInPayout: boolean };

export function listReviewStates(db: Queryable, programId: number, ids: number[]): Promise<ReviewState[]> {
  return db.query<ReviewState>(
    `select m.id, ${COMMISSION_STATUS} as status, m.stage, m.settled_cents <> 0 as "isInPayout"
     from commissions m where m.program_id = $1 and m.id = any ($2::bigint[])`,
    [programId, ids],
  );
}

/** Approves or rejects those of the commissions that can be, and returns their ids. */
export async function updateReviewed(
  db: Queryable,
  programId: number,
  commissionIds: number[],
  review: 'approve' | 'reject',
  now: Date,
): Promise<number[]> {
  const { to } = TRANSITIONS[review];
  const rows = await db.query<{ id: number }>(
    `with held as materialized (
       select m.id from commissions m
       where m.program_id = $1 and m.id = any ($2::bigint[]) and ${canMake(review)}
       order by m.id for update
     )
     update commissions c set stage = $3, approved_at = case when $3 = 'approved' then $4 else approved_at end
     from held where c.id = held.id returning c.id`,
    [programId, commissionIds, to, now],
  );
  return rows.map(({ id }) => id);
}

/** Approves commissions whose hold has ended and returns how many. Those that someone else has locked come next time. */
export async function updateHoldEnded(db: Queryable, now: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `with held as materialized (
       select m.id from commissions m where ${canMake('end_hold')}
       order by m.approve_after limit $2 for update skip locked
     )
     update commissions c set stage = '${TRANSITIONS.end_hold.to}', approved_at = $1 from held where c.id = held.id
     returning c.id`,
    [now, limit],
  );
  return rows.length;
}

export type SaleCommission = {
  id: number;
  saleId: number;
  cents: number;
  deductedCents: number;
  stage: CommissionStage;
};

/** Locks the commissions of sales and returns them as they are now. */
export function listCommissionsForUpdate(db: Queryable, saleIds: number[]): Promise<SaleCommission[]> {
  return db.query<SaleCommission>(
    `select m.id, m.sale_id as "saleId", m.commission_cents as cents, m.deducted_cents as "deductedCents", m.stage
     from commissions m where m.sale_id = any ($1::bigint[]) order by m.id for no key update`,
    [saleIds],
  );
}

export type Deduction = { commissionId: number; deductedCents: number; reversal: Reversal };

/** Sets what has been taken back in all of commissions that the transaction has locked. */
export async function updateDeductions(db: Queryable, deductions: Deduction[]): Promise<void> {
  if (deductions.length === 0) return;
  const rows = deductions.map((one) => ({
    id: one.commissionId,
    deducted_cents: one.deductedCents,
    reversal: one.reversal,
  }));
  await db.query(
    `update commissions c set deducted_cents = i.deducted_cents, reversal = i.reversal
     from json_populate_recordset(null::commissions, $1::json) i where c.id = i.id`,
    [JSON.stringify(rows)],
  );
}

/** Deletes a commission that was never in a payout; one that was stays. Returns whether it was deleted. */
export async function deleteUnpaidCommission(db: Queryable, commissionId: number): Promise<boolean> {
  const rows = await db.query(
    `delete from commissions where id = $1 and stage in ('pending', 'approved')
       and not exists (select 1 from payout_lines where commission_id = $1)
     returning id`,
    [commissionId],
  );
  return rows.length > 0;
}
