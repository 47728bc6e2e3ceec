import type { CommissionKind, CommissionStage, CommissionStatus, CommissionType, HoldReason } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { announceReleasedCaps, type RevokedCommission, releaseCapCounts } from '../terms/cap-store.ts';
import type { StoredFacts } from '../terms/stored-facts.ts';
import {
  COMMISSION_STATUS,
  type Reversal,
  type ReviewTransition,
  TRANSITIONS,
  transitionGuard,
} from './commission-state.ts';

// Only commissions/ writes commissions. Statements that lock several of them do so in id order.

export type NewCommission = {
  kind: CommissionKind;
  /** The sale that it is paid for; null for kinds that stand without one. */
  saleId: number | null;
  /** The lead that it is paid for, and the link that the customer came through. */
  customerId?: number;
  linkId?: number | null;
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
  /** The version of the terms that it follows, and the rule in it. */
  termsVersion?: number | null;
  rule?: number | null;
  /** What the terms were asked about a lead. A sale keeps it itself. */
  termsFacts?: StoredFacts;
};

const INSERT_COMMISSIONS = `
  insert into commissions (kind, sale_id, customer_id, link_id, program_id, partner_id, commission_type, commission_rate,
    commission_cents, deducted_cents, reversal, currency, approve_after, hold_reason, terms_version, rule, terms_facts,
    created_at)
  select kind, sale_id, customer_id, link_id, program_id, partner_id, commission_type, commission_rate,
    commission_cents, deducted_cents, reversal, currency, approve_after, hold_reason, terms_version, rule, terms_facts,
    created_at
  from json_populate_recordset(null::commissions, $1::json)
  returning id, kind, sale_id as "saleId"`;

/** Inserts commissions and returns the ids of those of kind `sale`, by sale id. A sale has at most one of each kind. */
export async function insertCommissions(db: Queryable, commissions: NewCommission[]): Promise<Map<number, number>> {
  if (commissions.length === 0) return new Map();
  const input = commissions.map((commission) => ({
    kind: commission.kind,
    sale_id: commission.saleId,
    customer_id: commission.customerId,
    link_id: commission.linkId,
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
    terms_version: commission.termsVersion,
    rule: commission.rule,
    terms_facts: commission.termsFacts,
    created_at: commission.createdAt,
  }));
  type Row = { id: number; kind: CommissionKind; saleId: number };
  const rows = await db.query<Row>(INSERT_COMMISSIONS, [JSON.stringify(input)]);
  return new Map(rows.flatMap(({ id, kind, saleId }) => (kind === 'sale' ? [[saleId, id]] : [])));
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

export type SaleOfCommission = { saleId: number; amountCents: number; refundedCents: number; taxOnlyCents: number };

/** Locks the sales of commissions, whatever their stage is by now, so that none is refunded meanwhile. */
export function listSalesForUpdate(db: Queryable, programId: number, ids: number[]): Promise<SaleOfCommission[]> {
  return db.query<SaleOfCommission>(
    `select s.id as "saleId", s.amount_cents as "amountCents", s.refunded_cents as "refundedCents",
       case when s.commission_base = 'net' then s.refunded_tax_only_cents else 0 end as "taxOnlyCents"
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
  kind: CommissionKind;
  saleId: number;
  partnerId: number;
  cents: number;
  currency: string;
  deductedCents: number;
  stage: CommissionStage;
};

/** Locks the commissions of sales and returns their current state. */
export function listCommissionsForUpdate(db: Queryable, saleIds: number[]): Promise<SaleCommission[]> {
  return db.query<SaleCommission>(
    `select m.id, m.kind, m.sale_id as "saleId", m.partner_id as "partnerId", m.commission_cents as cents,
       m.currency, m.deducted_cents as "deductedCents", m.stage
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

const IS_UNPAID = `(m.stage in ('pending', 'approved')
  and not exists (select 1 from payout_lines l where l.commission_id = m.id))`;

/**
 * Deletes all commissions of a sale that the transaction has locked, or none if one of them was ever in a payout or rejected.
 * They no longer count towards the caps of their rules.
 */
export async function deleteUnpaidCommissions(
  db: Queryable,
  saleId: number,
): Promise<{ deleted: number; kept: number }> {
  await announceReleasedCaps(db);
  const [row] = await db.query<{ gone: RevokedCommission[]; before: number }>(
    `with gone as (
       delete from commissions c using sales s where c.sale_id = $1 and s.id = c.sale_id
         and not exists (select 1 from commissions m where m.sale_id = $1 and not ${IS_UNPAID})
       returning c.program_id as "programId", c.partner_id as "partnerId", c.currency, c.commission_cents::text as cents,
         c.terms_version as "termsVersion", c.rule, s.customer_id as "customerId", s.created_at as at)
     select (select coalesce(json_agg(gone), '[]') from gone) as gone,
       (select count(*) from commissions where sale_id = $1) as before`,
    [saleId],
  );
  const { gone, before } = row!;
  await releaseCapCounts(db, gone);
  return { deleted: gone.length, kept: before - gone.length };
}
