import type { CommissionType } from '@svc/contract';
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
  createdAt: Date;
};

// The customer's current partner, because a missing one may have been restored since the sale.
const SELECT_SALES_OWING_COMMISSION = `
  select s.id, s.processor_event_id as "transactionId", s.program_id as "programId", s.customer_id as "customerId",
    p.id as "partnerId", s.amount_cents as "amountCents", s.refunded_cents as "refundedCents", s.currency,
    s.commission_type as "commissionType", s.commission_rate as "commissionRate",
    s.program_currency as "programCurrency", s.hold_days as "holdDays", s.created_at as "createdAt"
  from sales s
  join customers c on c.id = s.customer_id
  left join partners p on p.id = coalesce(s.partner_id, c.partner_id)
  where s.commission_state = 'owed'`;

export function listSalesOwingCommission(db: Queryable, limit: number, afterId = 0): Promise<SaleOwingCommission[]> {
  return db.query<SaleOwingCommission>(`${SELECT_SALES_OWING_COMMISSION} and s.id > $1 order by s.id limit $2`, [
    afterId,
    limit,
  ]);
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
