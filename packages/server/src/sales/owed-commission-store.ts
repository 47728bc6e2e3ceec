import type { CommissionType } from '@svc/contract';
import type { Queryable } from '../db/db.ts';

/** A recorded sale that owes its commission, with the terms that were in force when it was made. */
export type OwingSale = {
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

// The partner is the customer's as it is now: it may have been restored since.
const SELECT_OWING = `
  select s.id, s.processor_event_id as "transactionId", s.program_id as "programId", s.customer_id as "customerId",
    p.id as "partnerId", s.amount_cents as "amountCents", s.refunded_cents as "refundedCents", s.currency,
    s.commission_type as "commissionType", s.commission_rate as "commissionRate",
    s.program_currency as "programCurrency", s.hold_days as "holdDays", s.created_at as "createdAt"
  from sales s
  join customers c on c.id = s.customer_id
  left join partners p on p.id = coalesce(s.partner_id, c.partner_id)
  where s.commission_state = 'owed'`;

export function listOwingSales(db: Queryable, limit: number, afterId = 0): Promise<OwingSale[]> {
  return db.query<OwingSale>(`${SELECT_OWING} and s.id > $1 order by s.id limit $2`, [afterId, limit]);
}

/** Finds the sale if it still owes its commission, and locks it, so that only one of two repairs goes ahead. */
export async function findOwingSaleForUpdate(db: Queryable, saleId: number): Promise<OwingSale | null> {
  const [sale] = await db.query<OwingSale>(`${SELECT_OWING} and s.id = $1 for update of s`, [saleId]);
  return sale ?? null;
}
