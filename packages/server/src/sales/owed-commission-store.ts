import type { CommissionType, HoldReason } from '@svc/contract';
import type { Queryable } from '../db/db.ts';

/** A recorded sale whose commission is still owed, with the terms in force at the time of the sale. */
export type SaleOwingCommission = {
  id: number;
  transactionId: string;
  programId: number;
  customerId: number;
  partnerId: number | null;
  amountCents: number;
  refundedCents: number;
  currency: string;
  commissionType: CommissionType;
  commissionRate: string;
  programCurrency: string;
  holdDays: number;
  holdReason: HoldReason | null;
  createdAt: Date;
  /** How often the job has failed to create it. */
  attempts: number;
  /** Whether the job has given up. An operator can still repair it. */
  gaveUp: boolean;
};

// The customer's current partner, because a missing one may have been restored since the sale.
const SELECT_SALES_OWING_COMMISSION = `
  select s.id, s.processor_event_id as "transactionId", s.program_id as "programId", s.customer_id as "customerId",
    p.id as "partnerId", s.amount_cents as "amountCents", s.refunded_cents as "refundedCents", s.currency,
    s.commission_type as "commissionType", s.commission_rate as "commissionRate",
    s.program_currency as "programCurrency", s.hold_days as "holdDays", s.hold_reason as "holdReason",
    s.created_at as "createdAt", s.repair_attempts as attempts, s.repair_after = 'infinity' as "gaveUp"
  from sales s
  join customers c on c.id = s.customer_id
  left join partners p on p.id = coalesce(s.partner_id, c.partner_id)
  where s.commission_state = 'owed'`;

/** Those that the job has given up come first, then those that it will try last. */
export function listSalesOwingCommission(db: Queryable, limit: number): Promise<SaleOwingCommission[]> {
  const order = 'order by s.repair_after desc, s.id desc limit $1';
  return db.query<SaleOwingCommission>(`${SELECT_SALES_OWING_COMMISSION} ${order}`, [limit]);
}

/** The sales whose commission the job should create now, those that have waited longest first. */
export function listDueRepairs(
  db: Queryable,
  now: Date,
  limit: number,
): Promise<Pick<SaleOwingCommission, 'id' | 'attempts'>[]> {
  return db.query(
    `select s.id, s.repair_attempts as attempts from sales s
     where s.commission_state = 'owed' and s.repair_after <= $1 order by s.repair_after, s.id limit $2`,
    [now, limit],
  );
}

/** Finds and locks the sale if it still owes its commission, so that only one of two concurrent repairs proceeds. */
export async function findSaleOwingCommissionForUpdate(
  db: Queryable,
  saleId: number,
): Promise<SaleOwingCommission | null> {
  const [sale] = await db.query<SaleOwingCommission>(`${SELECT_SALES_OWING_COMMISSION} and s.id = $1 for update of s`, [
    saleId,
  ]);
  return sale ?? null;
}
