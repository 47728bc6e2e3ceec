import type { CommissionKind, CommissionStage, CommissionStatus, CommissionType, HoldReason } from '@svc/contract';
import { bookAdded, bookChanged, bookRemoved } from '../books/book-entry-store.ts';
import type { Queryable } from '../db/db.ts';
import { columnValues, rowsOfColumns } from '../db/row-columns.ts';
import { COMMISSIONS, countAdded, countChanged, countRemoved } from '../rollups/delta-store.ts';
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

const COLUMNS = {
  kind: 'text',
  sale_id: 'bigint',
  customer_id: 'bigint',
  link_id: 'bigint',
  program_id: 'bigint',
  partner_id: 'bigint',
  commission_type: 'text',
  commission_rate: 'numeric',
  commission_cents: 'bigint',
  deducted_cents: 'bigint',
  reversal: 'text',
  currency: 'text',
  approve_after: 'timestamptz',
  hold_reason: 'text',
  terms_version: 'integer',
  rule: 'integer',
  terms_facts: 'jsonb',
  created_at: 'timestamptz',
} as const;

const INSERT_COMMISSIONS = `
  with written as (
    insert into commissions (${Object.keys(COLUMNS).join(', ')}) select ${rowsOfColumns(COLUMNS)}
    returning id, kind, customer_id, due_cents, ${COMMISSIONS.columns}
  ), ${bookAdded('commission_created', `$${Object.keys(COLUMNS).length + 1}::timestamptz`)}, ${countAdded(
    COMMISSIONS,
    'id, kind, program_id as "programId", sale_id as "saleId", customer_id as "customerId"',
  )}`;

export type InsertedCommission = {
  id: number;
  kind: CommissionKind;
  programId: number;
  saleId: number | null;
  customerId: number | null;
};

/** Inserts commissions, and returns them in no certain order. A sale has at most one of each kind. */
export async function insertCommissions(
  db: Queryable,
  commissions: NewCommission[],
  now: Date,
): Promise<InsertedCommission[]> {
  if (commissions.length === 0) return [];
  const input = commissions.map(
    (commission): Record<keyof typeof COLUMNS, unknown> => ({
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
    }),
  );
  return db.query<InsertedCommission>(INSERT_COMMISSIONS, [...columnValues(COLUMNS, input), now]);
}

export type ReviewState = { id: number; status: CommissionStatus; stage: CommissionStage; isInPayout: boolean };

export function listReviewStates(db: Queryable, programId: number, ids: number[]): Promise<ReviewState[]> {
  return db.query<ReviewState>(
    `select m.id, ${COMMISSION_STATUS} as status, m.stage, m.settled_cents <> 0 as "isInPayout"
     from commissions m where m.program_id = $1 and m.id = any ($2::bigint[])`,
    [programId, ids],
  );
}

// The row of `written` as it was in `before`.
const WAS = `id, (select m.stage from before m where m.id = written.id) as stage,
  (select ${COMMISSION_STATUS} from before m where m.id = written.id) as status`;

/**
 * Moves the commissions that allow it through a transition and returns them as they were. Approving releases a held one. A rejected one
 * keeps the time of its approval, which says what undoing the rejection leads back to.
 */
export async function updateReviewed(
  db: Queryable,
  programId: number,
  commissionIds: number[],
  transition: ReviewTransition,
  { now, reason = null }: { now: Date; reason?: string | null },
): Promise<MovedCommission[]> {
  const { to } = TRANSITIONS[transition];
  return db.query<MovedCommission>(
    `with before as materialized (
       select m.* from commissions m
       where m.program_id = $1 and m.id = any ($2::bigint[]) and ${transitionGuard(transition)}
       order by m.id for update
     ), written as (
       update commissions c set stage = $3, rejection_reason = $5,
         approved_at = case when $3 = 'approved' then coalesce(c.approved_at, $4) else c.approved_at end,
         hold_reason = case when $3 = 'approved' then null else c.hold_reason end
       from before where c.id = before.id returning c.*
     ), ${bookChanged('commission_reviewed', '$4')}, ${countChanged(COMMISSIONS, WAS)}`,
    [programId, commissionIds, to, now, to === 'rejected' ? reason : null],
  );
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

/** A commission that moved to another stage, as it was before. */
export type MovedCommission = { id: number; stage: CommissionStage; status: CommissionStatus };

/** The commissions of a program whose hold has ended. */
export type EndedHolds = { programId: number; workspaceId: number; approved: MovedCommission[] };

/** Approves commissions whose hold has ended and returns those of each program. Locked ones are left for the next run. */
export function updateHoldEnded(db: Queryable, now: Date, limit: number): Promise<EndedHolds[]> {
  return db.query<EndedHolds>(
    `with before as materialized (
       select m.*, ${COMMISSION_STATUS} as status from commissions m where ${transitionGuard('end_hold')}
       order by m.approve_after limit $2 for update skip locked
     ), written as (
       update commissions c set stage = '${TRANSITIONS.end_hold.to}', approved_at = $1 from before where c.id = before.id
       returning c.*
     ), ${bookChanged('commission_approved', '$1')}
     select a.program_id as "programId", p.advertiser_id as "workspaceId",
       json_agg(json_build_object('id', a.id, 'stage', a.stage, 'status', a.status) order by a.id) as approved
     from before a join programs p on p.id = a.program_id group by 1, 2 order by 1`,
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
  /** What callers see of it. */
  status: CommissionStatus;
};

/** Locks the commissions of sales and returns their current state. */
export function listCommissionsForUpdate(db: Queryable, saleIds: number[]): Promise<SaleCommission[]> {
  return db.query<SaleCommission>(
    `select m.id, m.kind, m.sale_id as "saleId", m.partner_id as "partnerId", m.commission_cents as cents,
       m.currency, m.deducted_cents as "deductedCents", m.stage, ${COMMISSION_STATUS} as status
     from commissions m where m.sale_id = any ($1::bigint[]) order by m.id for no key update`,
    [saleIds],
  );
}

export type Deduction = { commissionId: number; deductedCents: number; reversal: Reversal };

/** A commission whose deduction changed, and what it was before. */
export type ChangedDeduction = {
  id: number;
  saleId: number;
  programId: number;
  fromCents: number;
  toCents: number;
};

/** Sets the total deduction of commissions that the transaction has locked, and returns those for which it is another one. */
export async function updateDeductions(db: Queryable, deductions: Deduction[], now: Date): Promise<ChangedDeduction[]> {
  if (deductions.length === 0) return [];
  const rows = deductions.map((deduction) => ({
    id: deduction.commissionId,
    deducted_cents: deduction.deductedCents,
    reversal: deduction.reversal,
  }));
  const changed = await db.query<ChangedDeduction>(
    `with input as materialized (
       select * from json_populate_recordset(null::commissions, $1::json)
     ), before as materialized (
       select c.* from input i join commissions c on c.id = i.id
     ), written as (
       update commissions c set deducted_cents = i.deducted_cents, reversal = i.reversal
       from input i where c.id = i.id returning c.*
     ), ${bookChanged('commission_deducted', '$2::timestamptz')}, ${countChanged(
       COMMISSIONS,
       `id, sale_id as "saleId", program_id as "programId", deducted_cents as "toCents",
        (select before.deducted_cents from before where before.id = written.id) as "fromCents"`,
     )}`,
    [JSON.stringify(rows), now],
  );
  return changed.filter(({ fromCents, toCents }) => fromCents !== toCents);
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
  now: Date,
): Promise<{ deleted: number; kept: number }> {
  await announceReleasedCaps(db);
  const [row] = await db.query<{ gone: RevokedCommission[]; before: number }>(
    `with before as (
       delete from commissions c where c.sale_id = $1
         and not exists (select 1 from commissions m where m.sale_id = $1 and not ${IS_UNPAID})
       returning c.*
     ), gone as (
       select c.program_id as "programId", c.partner_id as "partnerId", c.currency, c.commission_cents::text as cents,
         c.terms_version as "termsVersion", c.rule, s.customer_id as "customerId", s.created_at as at
       from before c join sales s on s.id = c.sale_id
     ), ${bookRemoved('commission_revoked', '$2::timestamptz')}, ${countRemoved(
       COMMISSIONS,
       `(select coalesce(json_agg(gone), '[]') from gone) as gone,
        (select count(*) from commissions where sale_id = $1) as before`,
     )}`,
    [saleId, now],
  );
  const { gone, before } = row!;
  await releaseCapCounts(db, gone);
  return { deleted: gone.length, kept: before - gone.length };
}
