import type { Queryable } from '../db/db.ts';
import type { EarlierRefund, NewRefund, RefundableSale, RefundStatus } from './refund.ts';

type SaleRow = Omit<RefundableSale, 'commission'> & {
  commissionId: number | null;
  commissionCents: number | null;
  deductedCents: number | null;
  stage: string | null;
};

/** Finds the program's sale and holds it until the end of the transaction. */
export async function findSaleForUpdate(
  db: Queryable,
  programId: number,
  transactionId: string,
): Promise<RefundableSale | null> {
  const [row] = await db.query<SaleRow>(
    `select s.id, s.customer_id as "customerId", s.partner_id as "partnerId", s.amount_cents as "amountCents",
       s.refunded_cents as "refundedCents", s.currency, s.is_test as "isTest", m.id as "commissionId",
       m.commission_cents as "commissionCents", m.deducted_cents as "deductedCents", m.stage
     from transactions t
     join sales s on s.id = t.sale_id and s.program_id = $1
     left join commissions m on m.sale_id = s.id
     where t.processor_event_id = $2
     for update of s`,
    [programId, transactionId],
  );
  if (!row) return null;
  const { commissionId, commissionCents, deductedCents, stage, ...sale } = row;
  const commission =
    commissionId === null
      ? null
      : { id: commissionId, cents: commissionCents ?? 0, deductedCents: deductedCents ?? 0, stage: stage ?? '' };
  return { ...sale, commission };
}

export async function findRefund(db: Queryable, saleId: number, refundKey: string): Promise<EarlierRefund | null> {
  const [refund] = await db.query<EarlierRefund>(
    `select refund_key as "refundKey", amount_cents as "amountCents", deduction_cents as "deductionCents", status
     from refunds where sale_id = $1 and refund_key = $2`,
    [saleId, refundKey],
  );
  return refund ?? null;
}

export async function findLastRefund(db: Queryable, saleId: number): Promise<EarlierRefund | null> {
  const [refund] = await db.query<EarlierRefund>(
    `select refund_key as "refundKey", 0 as "amountCents", 0 as "deductionCents", status
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
};

/** Writes the refund, takes it off the sale and, in proportion, off the commission. Returns the refund's id. */
export async function insertRefund(db: Queryable, write: RefundWrite): Promise<string> {
  const [row] = await db.query<{ refundKey: string }>(
    `with id as materialized (select nextval('refunds_id_seq') as value), refund as (
       insert into refunds (id, sale_id, program_id, refund_key, amount_cents, deduction_cents, status, reason,
         request_id, created_at)
       select value, $1, $2, coalesce($3, 'refund_' || value), $4, $5, $6, $7, $8, $9 from id
       returning refund_key
     ), sale as (
       update sales set refunded_cents = refunded_cents + $4 where id = $1
     ), commission as (
       update commissions set deducted_cents = deducted_cents + $5,
         reversal = case $6 when 'reversed' then 'full' else 'partial' end
       where sale_id = $1 and $6 <> 'no_commission'
     )
     select refund_key as "refundKey" from refund`,
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
    ],
  );
  return (row as { refundKey: string }).refundKey;
}
