import type { PayoutLine } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { timesAsText } from '../db/lists/sorted-list.ts';

/** The lines of a payout, newest commissions first. */
export async function listPayoutLines(
  db: Queryable,
  payoutId: number,
  beforeId: number | null,
  limit: number,
): Promise<PayoutLine[]> {
  const lines = await db.query(
    `select m.id as commission_id, m.kind, m.reason, m.sale_id, s.processor_event_id as transaction_id,
       c.id as customer_id, c.customer_key, l.amount_cents, m.created_at
     from payout_lines l join commissions m on m.id = l.commission_id left join sales s on s.id = m.sale_id
       left join customers c on c.id = coalesce(s.customer_id, m.customer_id)
     where l.payout_id = $1 and ($2::bigint is null or l.commission_id < $2)
     order by l.commission_id desc limit $3`,
    [payoutId, beforeId, limit],
  );
  return lines.map((line) => timesAsText<PayoutLine>(line));
}
