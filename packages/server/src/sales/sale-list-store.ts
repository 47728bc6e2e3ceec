import type { CommissionBase, CommissionStatus, CommissionType, SaleSort } from '@svc/contract';
import { COMMISSION_STATUS } from '../../commissions/commission-state.ts';
import type { Queryable } from '../../db/db.ts';
import type { Condition } from '../../db/list-query.ts';
import {
  findTotals,
  type ListSource,
  listSorted,
  type PageOf,
  type Positioned,
  type Totals,
  textSort,
} from '../../db/sorted-list.ts';
import { type SaleSearch, saleSearchCondition } from './sale-search-store.ts';

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
  commissionId: number | null;
  commissionCents: number | null;
  deductedCents: number | null;
  commissionCurrency: string | null;
  commissionStatus: CommissionStatus | null;
  createdAt: Date;
};

export type SaleFilter = {
  partnerId: number | null;
  customerKey?: string;
  transactionId?: string;
  search?: SaleSearch;
  from?: Date;
  to?: Date;
};

type SaleSum = 'amountCents' | 'refundedCents';

const SOURCE: ListSource<ListedSale, SaleSort, SaleSum> = {
  table: 'sales s',
  id: 's.id',
  joins: 'left join customers c on c.id = s.customer_id left join partners p on p.id = s.partner_id',
  pageJoins: `left join commissions m on m.sale_id = s.id and m.kind = 'sale'`,
  columns: {
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
    commissionId: 'm.id',
    commissionCents: 'm.commission_cents',
    deductedCents: 'm.deducted_cents',
    commissionCurrency: 'm.currency',
    commissionStatus: `case when m.id is not null then ${COMMISSION_STATUS} end`,
    createdAt: 's.created_at',
  },
  sorts: {
    created_at: { sql: 's.created_at', type: 'time' },
    amount_cents: { sql: 's.amount_cents', type: 'number' },
    refunded_cents: { sql: 's.refunded_cents', type: 'number' },
    partner_name: textSort('p.name'),
  },
  sums: { currency: 's.currency', of: { amountCents: 's.amount_cents', refundedCents: 's.refunded_cents' } },
};

export const SALE_SORT_COLUMNS = SOURCE.sorts;

const conditions = (programId: number, filter: SaleFilter): Condition[] => [
  ['s.program_id = ?', programId],
  ['not s.is_test'],
  ['s.partner_id = ?', filter.partnerId],
  // A key identifies a customer only within its program, where it is indexed.
  ['c.program_id = ? and c.customer_key = ?', programId, filter.customerKey],
  ['s.processor_event_id = ?', filter.transactionId],
  saleSearchCondition('s.id', programId, filter.search),
  ['s.created_at >= ?', filter.from],
  ['s.created_at < ?', filter.to],
];

export function listSales(
  db: Queryable,
  programId: number,
  filter: SaleFilter,
  page: PageOf<SaleSort>,
): Promise<Positioned<ListedSale>[]> {
  return listSorted(db, SOURCE, conditions(programId, filter), page);
}

export function findSaleTotals(db: Queryable, programId: number, filter: SaleFilter): Promise<Totals<SaleSum>> {
  return findTotals(db, SOURCE, conditions(programId, filter));
}
