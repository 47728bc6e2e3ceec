import type { Queryable } from '../db/db.ts';
import type { EarlierRefund, NewRefund, RefundableSale, RefundStatus } from './refund.ts';

/** Finds the program's sale and holds it until the end of the transaction. */
export async function findSaleForUpdate(
  db: Queryable,
  programId: number,
  transactionId: string,
): Promise<RefundableSale | null> {
  const [sale] = await db.query<Omit<RefundableSale, 'commission' | 'reportedCents'>>(
    `select s.id, s.customer_id as "customerId", s.partner_id as "partnerId", s.amount_cents as "amountCents",
       s.refunded_cents as "refundedCents", s.currency, s.is_test as "isTest"
     from transactions t
     join sales s on s.id = t.sale_id and s.program_id = $1
     where t.processor_event_id = $2
     for update of s`,
    [programId, transactionId],
  );
  if (!sale) return null;
  // Read only now that the sale is held: what a join had read before the wait would be out of date.
  const [commission] = await db.query<NonNullable<RefundableSale['commission']>>(
    `select id, commission_cents as cents, deducted_cents as "deductedCents", stage
     from commissions where sale_id = $1`,
    [sale.id],
  );
  return { ...sale, commission: commission ?? null, reportedCents: await sumReportedRefunds(db, sale.id) };
}

async function sumReportedRefunds(db: Queryable, saleId: number): Promise<number> {
  const [row] = await db.query<{ cents: number }>(
    'select coalesce(sum(reported_cents), 0)::bigint as cents from refunds where sale_id = $1',
    [saleId],
  );
  return row?.cents ?? 0;
}

export async function findRefund(db: Queryable, saleId: number, refundKey: string): Promise<EarlierRefund | null> {
  const [refund] = await db.query<EarlierRefund>(
    `select coalesce(refund_key, 'refund_' || id) as "refundId", amount_cents as "amountCents", deduction_cents as "deductionCents", status
     from refunds where sale_id = $1 and refund_key = $2`,
    [saleId, refundKey],
  );
  return refund ?? null;
}

export async function findLastRefund(db: Queryable, saleId: number): Promise<EarlierRefund | null> {
  const [refund] = await db.query<EarlierRefund>(
    `select coalesce(refund_key, 'refund_' || id) as "refundId", 0 as "amountCents", 0 as "deductionCents", status
     from refunds where sale_id = $1 order by id desc limit 1`,
    [saleId],
  );
  return refund ?? null;
}

type RefundWrite = {
  programId: number;
  sale: RefundableSale;
  refund: NewRefund;
  amountCents: number;
  deductionCents: number;
  status: RefundStatus;
  now: Date;
  /** What the advertiser reported; without it the payment processor told. */
  reportedCents?: number;
};

/**
 * Writes the refund, takes it off the sale and, in proportion, off the commission; a restoration gives back in the same
 * way. Returns the refund's id.
 */
export async function insertRefund(db: Queryable, write: RefundWrite): Promise<string> {
  const [row] = await db.query<{ refundId: string }>(
    `with refund as (
       insert into refunds (sale_id, program_id, refund_key, amount_cents, deduction_cents, status, reason,
         request_id, created_at, source, reported_cents)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $13)
       returning coalesce(refund_key, 'refund_' || id) as "refundId"
     ), sale as (
       update sales set refunded_cents = refunded_cents + $4 where id = $1
     ), commission as (
       update commissions set deducted_cents = deducted_cents + $5,
         reversal = case $11::bigint when 0 then 'none' when $12::bigint then 'full' else 'partial' end
       where sale_id = $1 and $6 <> 'no_commission' and stage <> 'rejected'
     )
     select "refundId" from refund`,
    [
      write.sale.id,
      write.programId,
      write.refund.refundKey ?? null,
      write.amountCents,
      write.deductionCents,
      write.status,
      write.refund.reason ?? null,
      write.refund.requestId,
      write.now,
      write.reportedCents === undefined ? 'processor' : 'api',
      write.sale.refundedCents + write.amountCents,
      write.sale.amountCents,
      write.reportedCents ?? 0,
    ],
  );
  return (row as { refundId: string }).refundId;
}
