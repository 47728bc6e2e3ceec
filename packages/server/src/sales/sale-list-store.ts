import {
  type CommissionType,
  type FiltersOf,
  SALE_SUMS,
  type SaleRow,
  type SaleSort,
  type saleFilters,
  saleRow,
} from '@svc/contract';
import { COMMISSION_STATUS } from '../commissions/commission-state.ts';
import { type SaleSearch, saleOfTransaction, saleSearchCondition } from '../commissions/sale-search-store.ts';
import { CUSTOMER_SUB } from '../customers/customer-list-store.ts';
import type { Queryable } from '../db/db.ts';
import { EVERYONE, inProgram, type ProgramScope, type Selection } from '../db/lists/list-query.ts';
import { findRow, listSource } from '../db/lists/sorted-list.ts';
import type { AnnouncedRows, FeedRows } from '../outbox/outbox-store.ts';
import { commissionableCents } from '../terms/earning.ts';
import type { PaidAmount } from '../terms/terms.ts';
import { SALE_STATUS } from './sale-store.ts';

export type SaleFilter = FiltersOf<typeof saleFilters> & {
  search?: SaleSearch;
  /** Leaves out customers whose key is an e-mail address. */
  withoutEmailKeys?: boolean;
};

/** What fields of a row are computed from, as the rules call it. */
type Facts = PaidAmount & { commissionType: CommissionType };

export const SALES = listSource<SaleRow, SaleSort, keyof typeof SALE_SUMS, 'base_cents', Facts>({
  row: saleRow,
  table: 'sales',
  as: 's',
  joins: 'left join customers c on c.id = s.customer_id left join partners p on p.id = s.partner_id',
  pageJoins: `left join commissions m on m.sale_id = s.id and m.kind = 'sale'`,
  columns: {
    transaction_id: 's.processor_event_id',
    customer_key: 'c.customer_key',
    partner_name: 'p.name',
    sub: CUSTOMER_SUB,
    // Earlier releases paid on everything that was paid.
    commission_base: `coalesce(s.commission_base, 'gross')`,
    status: SALE_STATUS,
    commission_id: 'm.id',
    commission_cents: 'm.commission_cents',
    commission_deducted_cents: 'm.deducted_cents',
    commission_currency: 'm.currency',
    commission_status: `case when m.id is not null then ${COMMISSION_STATUS} end`,
    commissionType: 's.commission_type',
    amountCents: 's.amount_cents',
    taxCents: 's.tax_cents',
    shippingCents: 's.shipping_cents',
  },
  computed: {
    base_cents: ({ commissionType: type, commission_base: base, ...paid }) => commissionableCents({ type, base }, paid),
  },
  sorts: { created_at: 'time', amount_cents: 'number', refunded_cents: 'number', partner_name: 'text' },
  sums: SALE_SUMS,
});

/** Announces that a sale no longer exists: all of it is taken back. The row is the one from before it was deleted. */
export function removedSale(row: SaleRow, about: { programId: number; decisionId: number }): AnnouncedRows {
  const { refunded_cents: before, amount_cents: all, currency } = row;
  const gone = { ...row, status: 'refunded', refunded_cents: all };
  const more = { refund: { amount_cents: all - before, currency } };
  const event = {
    type: 'sale.refunded',
    id: row.id,
    row: gone,
    previous: { refunded_cents: before },
    more,
    ...about,
  } as const;
  return { rows: SALE_ROWS, events: [event] };
}

export async function findSaleRow(db: Queryable, programId: number, saleId: number): Promise<SaleRow> {
  const scope = inProgram({ program: 's.program_id', partner: 's.partner_id' }, { programId, partnerId: EVERYONE });
  return (await findRow(db, SALES, [...scope, ['s.id = ?', saleId]]))!;
}

/** The rows of events about them. */
export const SALE_ROWS: FeedRows = {
  subject: 'sale',
  source: SALES,
  key: 's.id = i.id',
  about: { customer: 'customer_id', partner: 'partner_id' },
};

export function selectSales(scope: ProgramScope, filter: SaleFilter): Selection {
  return {
    scope: [...inProgram({ program: 's.program_id', partner: 's.partner_id' }, scope), ['not s.is_test']],
    filters: [
      // A key identifies a customer only within its program, where it is indexed.
      ['c.program_id = ? and c.customer_key = ?', scope.programId, filter.customer_key],
      ...(filter.withoutEmailKeys ? [[`position('@' in c.customer_key) = 0`] as [string]] : []),
      saleOfTransaction('s.id', scope.programId, filter.transaction_id),
      saleSearchCondition('s.id', scope.programId, filter.search),
      ['s.created_at >= ?', filter.from],
      ['s.created_at < ?', filter.to],
    ],
  };
}
