import type { Queryable } from '../db/db.ts';
import { listQuery, prefixBounds } from '../db/list-query.ts';
import type { LastRow } from './cursor.ts';

export type ListedSale = {
  id: number;
  transactionId: string;
  customerId: number | null;
  customerKey: string | null;
  partnerId: number | null;
  partnerName: string | null;
  amountCents: number;
  currency: string;
  refundedCents: number;
  createdAt: Date;
};

export type SaleFilter = {
  partnerId: number | null;
  customerKey?: string;
  transactionId?: string;
  transactionPrefix?: string;
  from?: Date;
  to?: Date;
  before: LastRow | null;
  limit: number;
};

const SELECT_SALE = `
  select s.id, s.processor_event_id as "transactionId", s.customer_id as "customerId",
    c.customer_key as "customerKey", s.partner_id as "partnerId", p.name as "partnerName",
    s.amount_cents as "amountCents", s.currency, s.refunded_cents as "refundedCents", s.created_at as "createdAt"
  from sales s left join customers c on c.id = s.customer_id left join partners p on p.id = s.partner_id`;

export function listSales(db: Queryable, programId: number, filter: SaleFilter): Promise<ListedSale[]> {
  return db.query<ListedSale>(
    ...listQuery(
      SELECT_SALE,
      [
        ['s.program_id = ?', programId],
        ['not s.is_test'],
        ['s.partner_id = ?', filter.partnerId],
        // Keys mean something only inside the program, where they have an index.
        ['c.program_id = ? and c.customer_key = ?', programId, filter.customerKey],
        ['s.processor_event_id = ?', filter.transactionId],
        ['s.processor_event_id >= ? and s.processor_event_id < ?', ...prefixBounds(filter.transactionPrefix)],
        ['s.created_at >= ?', filter.from],
        ['s.created_at < ?', filter.to],
        ['(s.created_at, s.id) < (?, ?)', filter.before?.at, filter.before?.id],
      ],
      's.created_at desc, s.id desc',
      filter.limit,
    ),
  );
}
