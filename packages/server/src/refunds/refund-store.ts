import type { SaleRow } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { SALE_STATUS } from '../sales/sale-store.ts';
import type { EarlierRefund, RefundableSale, RefundStatus } from './refund.ts';

export type LockedSale = Omit<RefundableSale, 'commission' | 'overrides' | 'reportedCents'> & {
  programId: number;
  /** What callers see of it. */
  status: SaleRow['status'];
  /** The ids by which it was asked for: its own, or another one under which the payment is known. */
  transactionIds: string[];
};

export type SaleName = { programId: number; transactionId: string };

/**
 * Locks the sales that these programs have under these transaction ids, in id order, and returns their current state. A
 * program can have a real and a test sale under one id.
 */
export function lockSales(db: Queryable, names: SaleName[]): Promise<LockedSale[]> {
  return db.query<LockedSale>(
    `with named as materialized (
       select t.sale_id, array_agg(distinct t.processor_event_id) as ids
       from unnest($1::text[], $2::bigint[]) as sent (processor_event_id, program_id)
       join transactions t on t.processor_event_id = sent.processor_event_id and t.program_id = sent.program_id
       group by t.sale_id
     )
     select s.id, s.program_id as "programId", named.ids as "transactionIds", s.customer_id as "customerId",
       s.partner_id as "partnerId", s.amount_cents as "amountCents", s.refunded_cents as "refundedCents",
       s.disputed_cents as "disputedCents", s.tax_cents as "taxCents", coalesce(s.commission_base, 'gross') as base,
       s.refunded_tax_only_cents as "taxOnlyCents", s.currency, s.is_test as "isTest",
       ${SALE_STATUS} as status
     from named join sales s on s.id = named.sale_id
     order by s.id for no key update of s`,
    [names.map(({ transactionId }) => transactionId), names.map(({ programId }) => programId)],
  );
}

const REFUND_COLUMNS = `coalesce(r.refund_key, 'refund_' || r.id) as "refundId", r.sale_id as "saleId", r.status`;

export type ReportedRefunds = { saleId: number; reportedCents: number; last: EarlierRefund | null };

/**
 * What the workspace itself has reported for each sale, and the last refund with amounts of zero: repeating it deducts
 * nothing more. Sales without refunds have no row.
 */
export async function listReportedRefunds(db: Queryable, saleIds: number[]): Promise<ReportedRefunds[]> {
  type Row = { saleId: number; reportedCents: number; refundId: string; status: RefundStatus };
  const rows = await db.query<Row>(
    `select ${REFUND_COLUMNS}, sums.cents::bigint as "reportedCents"
     from (select max(id) as last_id, sum(reported_cents) as cents
           from refunds where sale_id = any ($1::bigint[]) group by sale_id) sums
     join refunds r on r.id = sums.last_id`,
    [saleIds],
  );
  return rows.map(({ saleId, reportedCents, refundId, status }) => ({
    saleId,
    reportedCents,
    last: { refundId, status, amountCents: 0, deductionCents: 0 },
  }));
}

export type KeyedRefund = EarlierRefund & { saleId: number; refundKey: string };

/** Refunds already recorded under one of these caller-supplied keys. */
export function listRefundsByKey(db: Queryable, keys: { saleId: number; refundKey: string }[]): Promise<KeyedRefund[]> {
  const rows = keys.map(({ saleId, refundKey }) => ({ sale_id: saleId, refund_key: refundKey }));
  return db.query<KeyedRefund>(
    `select ${REFUND_COLUMNS}, r.refund_key as "refundKey", r.amount_cents as "amountCents",
       r.deduction_cents as "deductionCents"
     from json_populate_recordset(null::refunds, $1::json) k
     join refunds r on r.sale_id = k.sale_id and r.refund_key = k.refund_key`,
    [JSON.stringify(rows)],
  );
}

export type NewRefundRow = {
  id: number;
  saleId: number;
  programId: number;
  refundKey: string | null;
  amountCents: number;
  deductionCents: number;
  status: RefundStatus;
  reason: string | null;
  requestId: string | null;
  source: 'api' | 'processor';
  /** What the workspace itself reported; 0 for refunds from the payment processor. */
  reportedCents: number;
  createdAt: Date;
};

/** Reserves ids for refunds that may be recorded. */
export async function reserveRefundIds(db: Queryable, count: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `select nextval('refunds_id_seq') as id from generate_series(1, $1::int)`,
    [count],
  );
  return rows.map(({ id }) => id);
}

const INSERT_REFUNDS = `
  insert into refunds (id, sale_id, program_id, refund_key, amount_cents, deduction_cents, status, reason, request_id,
    created_at, source, reported_cents)
  select id, sale_id, program_id, refund_key, amount_cents, deduction_cents, status, reason, request_id,
    created_at, source, reported_cents
  from json_populate_recordset(null::refunds, $1::json)`;

export type ReportedRefund = Pick<NewRefundRow, 'refundKey' | 'reportedCents' | 'reason' | 'requestId'>;

/** The refunds of a sale that the workspace itself reported, in order. */
export function listOwnRefunds(db: Queryable, saleId: number): Promise<ReportedRefund[]> {
  return db.query<ReportedRefund>(
    `select refund_key as "refundKey", reported_cents as "reportedCents", reason, request_id as "requestId"
     from refunds where sale_id = $1 and reported_cents > 0 order by id`,
    [saleId],
  );
}

export async function deleteRefunds(db: Queryable, saleId: number): Promise<void> {
  await db.query('delete from refunds where sale_id = $1', [saleId]);
}

export async function insertRefunds(db: Queryable, refunds: NewRefundRow[]): Promise<void> {
  if (refunds.length === 0) return;
  const rows = refunds.map((refund) => ({
    id: refund.id,
    sale_id: refund.saleId,
    program_id: refund.programId,
    refund_key: refund.refundKey,
    amount_cents: refund.amountCents,
    deduction_cents: refund.deductionCents,
    status: refund.status,
    reason: refund.reason,
    request_id: refund.requestId,
    created_at: refund.createdAt,
    source: refund.source,
    reported_cents: refund.reportedCents,
  }));
  await db.query(INSERT_REFUNDS, [JSON.stringify(rows)]);
}
