import type { CommissionStage, CommissionStatus, CommissionType, HoldReason } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import {
  COMMISSION_STATUS,
  type Reversal,
  type ReviewTransition,
  TRANSITIONS,
  transitionGuard,
} from './commission-state.ts';

// Only commissions/ writes commissions. Statements that lock several of them do so in id order.

export type NewCommission = {
  saleId: number;
  programId: number;
  partnerId: number;
  commissionType: CommissionType;
  commissionRate: string;
  /** Exact, even if too large for a number. */
  cents: bigint;
  currency: string;
  approveAfter: Date;
  createdAt: Date;
  deductedCents?: number;
  reversal?: Reversal;
  holdReason?: HoldReason | null;
};

const INSERT_COMMISSIONS = `
  insert into commissions (sale_id, program_id, partner_id, commission_type, commission_rate, commission_cents,
    deducted_cents, reversal, currency, approve_after, hold_reason, created_at)
  select sale_id, program_id, partner_id, commission_type, commission_rate, commission_cents,
    deducted_cents, reversal, currency, approve_after, hold_reason, created_at
  from json_populate_recordset(null::commissions, $1::json)
  returning id, sale_id as "saleId"`;

/** Inserts commissions and returns their ids by sale id. A sale has at most one. */
export async function insertCommissions(db: Queryable, commissions: NewCommission[]): Promise<Map<number, number>> {
  if (commissions.length === 0) return new Map();
  const input = commissions.map((commission) => ({
    sale_id: commission.saleId,
    program_id: commission.programId,
    partner_id: commission.partnerId,
    commission_type: commission.commissionType,
    commission_rate: commission.commissionRate,
    commission_cents: commission.cents.toString(),
    deducted_cents: commission.deductedCents ?? 0,
    reversal: commission.reversal ?? 'none',
    currency: commission.currency,
    approve_after: commission.approveAfter,
    hold_reason: commission.holdReason,
    created_at: commission.createdAt,
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

/**
 * Moves the commissions that allow it through a transition and returns their ids. Approving releases a held one. A rejected one
 * keeps the time of its approval, which says what undoing the rejection leads back to.
 */
export async function updateReviewed(
  db: Queryable,
  programId: number,
  commissionIds: number[],
  transition: ReviewTransition,
  { now, reason = null }: { now: Date; reason?: string | null },
): Promise<number[]> {
  const { to } = TRANSITIONS[transition];
  const rows = await db.query<{ id: number }>(
    `with held as materialized (
       select m.id from commissions m
       where m.program_id = $1 and m.id = any ($2::bigint[]) and ${transitionGuard(transition)}
       order by m.id for update
     )
     update commissions c set stage = $3, rejection_reason = $5,
       approved_at = case when $3 = 'approved' then coalesce(approved_at, $4) else approved_at end,
       hold_reason = case when $3 = 'approved' then null else hold_reason end
     from held where c.id = held.id returning c.id`,
    [programId, commissionIds, to, now, to === 'rejected' ? reason : null],
  );
  return rows.map(({ id }) => id);
}

export type SaleOfCommission = { saleId: number; amountCents: number; refundedCents: number };

/** Locks the sales of commissions, whatever their stage is by now, so that none is refunded meanwhile. */
export function listSalesForUpdate(db: Queryable, programId: number, ids: number[]): Promise<SaleOfCommission[]> {
  return db.query<SaleOfCommission>(
    `select s.id as "saleId", s.amount_cents as "amountCents", s.refunded_cents as "refundedCents"
     from commissions m join sales s on s.id = m.sale_id
     where m.program_id = $1 and m.id = any ($2::bigint[])
     order by s.id for no key update of s`,
    [programId, ids],
  );
}

/** How many holds of a program have ended. */
export type EndedHolds = { programId: number; workspaceId: number; count: number; firstId: number };

/** Approves commissions whose hold has ended and returns how many of each program. Locked ones are left for the next run. */
export function updateHoldEnded(db: Queryable, now: Date, limit: number): Promise<EndedHolds[]> {
  return db.query<EndedHolds>(
    `with held as materialized (
       select m.id from commissions m where ${transitionGuard('end_hold')}
       order by m.approve_after limit $2 for update skip locked
     ), approved as (
       update commissions c set stage = '${TRANSITIONS.end_hold.to}', approved_at = $1 from held where c.id = held.id
       returning c.id, c.program_id
     )
     select a.program_id as "programId", p.advertiser_id as "workspaceId", count(*) as count, min(a.id) as "firstId"
     from approved a join programs p on p.id = a.program_id group by 1, 2 order by 1`,
    [now, limit],
  );
}

export type SaleCommission = {
  id: number;
  saleId: number;
  cents: number;
  deductedCents: number;
  stage: CommissionStage;
};

/** Locks the commissions of sales and returns their current state. */
export function listCommissionsForUpdate(db: Queryable, saleIds: number[]): Promise<SaleCommission[]> {
  return db.query<SaleCommission>(
    `select m.id, m.sale_id as "saleId", m.commission_cents as cents, m.deducted_cents as "deductedCents", m.stage
     from commissions m where m.sale_id = any ($1::bigint[]) order by m.id for no key update`,
    [saleIds],
  );
}

export type Deduction = { commissionId: number; deductedCents: number; reversal: Reversal };

/** Sets the total deduction of commissions that the transaction has locked. */
export async function updateDeductions(db: Queryable, deductions: Deduction[]): Promise<void> {
  if (deductions.length === 0) return;
  const rows = deductions.map((deduction) => ({
    id: deduction.commissionId,
    deducted_cents: deduction.deductedCents,
    reversal: deduction.reversal,
  }));
  await db.query(
    `update commissions c set deducted_cents = i.deducted_cents, reversal = i.reversal
     from json_populate_recordset(null::commissions, $1::json) i where c.id = i.id`,
    [JSON.stringify(rows)],
  );
}

/** Deletes a commission unless it was ever in a payout. Returns whether it was deleted. */
export async function deleteUnpaidCommission(db: Queryable, commissionId: number): Promise<boolean> {
  const rows = await db.query(
    `delete from commissions where id = $1 and stage in ('pending', 'approved')
       and not exists (select 1 from payout_lines where commission_id = $1)
     returning id`,
    [commissionId],
  );
  return rows.length > 0;
}
