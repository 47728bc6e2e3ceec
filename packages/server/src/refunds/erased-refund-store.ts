import type { Queryable } from '../db/db.ts';

export type RefundText = { id: number; reason: string };

/** What was written about the refunds of the customers. */
export function listRefundTexts(db: Queryable, customerIds: number[]): Promise<RefundText[]> {
  return db.query<RefundText>(
    `select r.id, r.reason from refunds r join sales s on s.id = r.sale_id
     where s.customer_id = any ($1::bigint[]) and r.reason is not null`,
    [customerIds],
  );
}

export async function updateRefundTexts(db: Queryable, texts: RefundText[]): Promise<void> {
  for (const { id, reason } of texts) await db.query('update refunds set reason = $2 where id = $1', [id, reason]);
}
