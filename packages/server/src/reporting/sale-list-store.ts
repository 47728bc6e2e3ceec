import type { CommissionBase, CommissionType } from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { listQuery, prefixBounds, selectList } from '../db/list-query.ts';
import type { LastRow } from './cursor.ts';

export type ListedSale = {
  id: number;
  transactionId: string;
  customerId: number | null;
  customerKey: string | null;
  partnerId: number | null;
  partnerName: string | null;
  amountCents: number;
  taxCents: number | null;
  shippingCents: number | null;
  commissionType: CommissionType;
  commissionBase: CommissionBase;
  termsVersion: number | null;
  currency: string;
  refundedCents: number;
  disputedCents: number;
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

const COLUMNS: Record<keyof ListedSale, string> = {
  id: 's.id',
  transactionId: 's.processor_event_id',
  customerId: 's.customer_id',
  customerKey: 'c.customer_key',
  partnerId: 's.partner_id',
  partnerName: 'p.name',
  amountCents: 's.amount_cents',
  taxCents: 's.tax_cents',
  shippingCents: 's.shipping_cents',
  commissionType: 's.commission_type',
  // Earlier releases paid on everything that was paid.
  commissionBase: `coalesce(s.commission_base, 'gross')`,
  termsVersion: 's.terms_version',
  currency: 's.currency',
  refundedCents: 's.refunded_cents',
  disputedCents: 's.disputed_cents',
  createdAt: 's.created_at',
};

const SELECT_SALE = `
  select ${selectList(COLUMNS)}
  from sales s left join customers c on c.id = s.customer_id left join partners p on p.id = s.partner_id`;

export function listSales(db: Queryable, programId: number, filter: SaleFilter): Promise<ListedSale[]> {
  return db.query<ListedSale>(
    ...listQuery(
      SELECT_SALE,
      [
        ['s.program_id = ?', programId],
        ['not s.is_test'],
        ['s.partner_id = ?', filter.partnerId],
        // A key identifies a customer only within its program, where it is indexed.
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
