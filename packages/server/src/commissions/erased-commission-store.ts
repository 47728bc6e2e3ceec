import type { Queryable } from '../db/db.ts';

export type RejectionText = { id: number; reason: string };

/** What was written about rejected commissions on sales to the customers, and on their leads. */
export function listRejectionTexts(db: Queryable, customerIds: number[]): Promise<RejectionText[]> {
  return db.query<RejectionText>(
    `select m.id, m.rejection_reason as reason from commissions m join sales s on s.id = m.sale_id
     where s.customer_id = any ($1::bigint[]) and m.rejection_reason is not null
     union all
     select m.id, m.rejection_reason from commissions m
     where m.customer_id = any ($1::bigint[]) and m.rejection_reason is not null`,
    [customerIds],
  );
}

export async function updateRejectionTexts(db: Queryable, texts: RejectionText[]): Promise<void> {
  for (const { id, reason } of texts) {
    await db.query('update commissions set rejection_reason = $2 where id = $1', [id, reason]);
  }
}
