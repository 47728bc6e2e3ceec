import type { Queryable } from '../db/db.ts';

/** The transaction ids of the sales to these customers. */
export function listTransactionIds(
  db: Queryable,
  customerIds: number[],
): Promise<{ saleId: number; transactionId: string }[]> {
  return db.query<{ saleId: number; transactionId: string }>(
    'select id as "saleId", processor_event_id as "transactionId" from sales where customer_id = any ($1::bigint[])',
    [customerIds],
  );
}

/** Gives a sale another transaction id, everywhere in the ledger. */
export async function updateTransactionId(db: Queryable, saleId: number, transactionId: string): Promise<void> {
  await db.query(
    `with renamed as (
       update transactions t set processor_event_id = $2 from sales s
       where s.id = $1 and t.sale_id = s.id and t.processor_event_id = s.processor_event_id)
     update sales set processor_event_id = $2 where id = $1`,
    [saleId, transactionId],
  );
}
