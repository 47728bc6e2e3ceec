import type { CommissionKind } from '@svc/contract';
import type { Queryable } from '../db/db.ts';

export type PayoutLine = {
  id: number;
  kind: CommissionKind;
  reason: string | null;
  saleId: number | null;
  transactionId: string | null;
  customerId: number | null;
  customerKey: string | null;
  amountCents: number;
  createdAt: Date;
};

/** The lines of a payout, newest commissions first; `id` is the commission's. */
export function listPayoutLines(
  db: Queryable,
  payoutId: number,
  beforeId: number | null,
  limit: number,
): Promise<PayoutLine[]> {
  return db.query<PayoutLine>(
    `select m.id, m.kind, m.reason, m.sale_id as "saleId", s.processor_event_id as "transactionId", c.id as "customerId",
       c.customer_key as "customerKey", l.amount_cents as "amountCents", m.created_at as "createdAt"
     from payout_lines l join commissions m on m.id = l.commission_id left join sales s on s.id = m.sale_id
       left join customers c on c.id = coalesce(s.customer_id, m.customer_id)
     where l.payout_id = $1 and ($2::bigint is null or l.commission_id < $2)
     order by l.commission_id desc limit $3`,
    [payoutId, beforeId, limit],
  );
}
