import type { Queryable } from '../db/db.ts';
import { SALE_DETAIL_COLUMNS, type SaleDetailColumns } from './sale-details.ts';

/**
 * Claims transaction ids, which are unique across all programs, and assigns each a sale id. Returns only those that were
 * free. Nodes that claim the same ids lock them in the same order.
 */
export async function claimTransactions(
  db: Queryable,
  claims: { transactionId: string; programId: number }[],
): Promise<Map<string, number>> {
  if (claims.length === 0) return new Map();
  const rows = await db.query<{ transactionId: string; saleId: number }>(
    `insert into transactions (processor_event_id, program_id, sale_id)
     select processor_event_id, program_id, nextval('sales_id_seq')
     from json_populate_recordset(null::transactions, $1::json) order by processor_event_id
     on conflict do nothing
     returning processor_event_id as "transactionId", sale_id as "saleId"`,
    [JSON.stringify(claims.map((claim) => ({ processor_event_id: claim.transactionId, program_id: claim.programId })))],
  );
  return new Map(rows.map(({ transactionId, saleId }) => [transactionId, saleId]));
}

/** The columns that a new sale sets besides its details. A row without one of them does not compile. */
const SALE_COLUMNS = [
  'id',
  'processor_event_id',
  'program_id',
  'customer_id',
  'partner_id',
  'link_id',
  'amount_cents',
  'currency',
  'sale_type',
  'is_recurring',
  'commission_type',
  'commission_rate',
  'program_currency',
  'commission_state',
  'hold_days',
  'is_test',
  'request_id',
  'created_at',
] as const;

export type SaleRow = Record<(typeof SALE_COLUMNS)[number], unknown> & SaleDetailColumns & { id: number };

const COLUMNS = [...SALE_COLUMNS, ...SALE_DETAIL_COLUMNS].join(', ');
const INSERT_SALES = `
  insert into sales (${COLUMNS}) select ${COLUMNS} from json_populate_recordset(null::sales, $1::json)`;

export async function insertSales(db: Queryable, rows: SaleRow[]): Promise<void> {
  if (rows.length > 0) await db.query(INSERT_SALES, [JSON.stringify(rows)]);
}

/** Adds refunds to sales that the transaction has locked; a negative amount restores. */
export async function updateRefunded(db: Queryable, refundedCents: Map<number, number>): Promise<void> {
  if (refundedCents.size === 0) return;
  const rows = [...refundedCents].map(([id, cents]) => ({ id, refunded_cents: cents }));
  await db.query(
    `update sales s set refunded_cents = s.refunded_cents + i.refunded_cents
     from json_populate_recordset(null::sales, $1::json) i where s.id = i.id`,
    [JSON.stringify(rows)],
  );
}

/** Marks the commission that a sale owed as created. */
export async function updateCommissionCreated(db: Queryable, saleId: number, partnerId: number): Promise<void> {
  await db.query(`update sales set commission_state = 'created', partner_id = $2 where id = $1`, [saleId, partnerId]);
}

/** Marks the commission of a sale as revoked. */
export async function updateCommissionRevoked(db: Queryable, saleId: number): Promise<void> {
  await db.query(`update sales set commission_state = 'none' where id = $1`, [saleId]);
}
