import type { CustomerSort, CustomerStatus } from '@svc/contract';
import type { ClickId } from '../../clicks/click-id.ts';
import type { Queryable } from '../../db/db.ts';
import { type Condition, prefixBounds, selectList } from '../../db/list-query.ts';
import {
  findTotals,
  type ListSource,
  listSorted,
  type PageOf,
  type Positioned,
  type Totals,
  textSort,
} from '../../db/sorted-list.ts';

export type ListedCustomer = {
  id: number;
  clickedAt: Date | null;
  customerKey: string | null;
  status: CustomerStatus;
  partnerId: number | null;
  partnerName: string | null;
  emailMasked: string | null;
  createdAt: Date;
};

export type CustomerFilter = {
  status?: CustomerStatus;
  partnerId: number | null;
  customerKey?: string;
  keyPrefix?: string;
  /** Leaves out customers whose key is an e-mail address. */
  withoutEmailKeys?: boolean;
  click?: ClickId;
  /** Searched together with `keyPrefix`: a customer matches by either one. */
  emailHash?: string;
  from?: Date;
  to?: Date;
};

const SOURCE: ListSource<ListedCustomer, CustomerSort> = {
  table: 'customers c',
  id: 'c.id',
  joins: 'left join partners p on p.id = c.partner_id',
  columns: {
    id: 'c.id',
    clickedAt: 'c.clicked_at',
    customerKey: 'c.customer_key',
    status: 'c.status',
    partnerId: 'c.partner_id',
    partnerName: 'p.name',
    emailMasked: 'c.email_masked',
    createdAt: 'c.created_at',
  },
  sorts: {
    created_at: { sql: 'c.created_at', type: 'time' },
    partner_name: textSort('p.name'),
  },
};

export const CUSTOMER_SORT_COLUMNS = SOURCE.sorts;

const IN_BOUNDS = 'c.customer_key >= ? and c.customer_key < ?';

const conditions = (programId: number, filter: CustomerFilter): Condition[] => [
  ['c.program_id = ?', programId],
  ['not c.is_test'],
  ['c.partner_id = ?', filter.partnerId],
  ['c.status = ?', filter.status],
  // A constant beside the parameter lets the planner use the partial index of customers who did more than click.
  ...(filter.status && filter.status !== 'click' ? [[`c.status <> 'click'`] as Condition] : []),
  ['c.customer_key = ?', filter.customerKey],
  ...(filter.withoutEmailKeys ? [[`position('@' in c.customer_key) = 0`] as Condition] : []),
  filter.emailHash
    ? [`(c.email_hash = ? or ${IN_BOUNDS})`, filter.emailHash, ...prefixBounds(filter.keyPrefix)]
    : [IN_BOUNDS, ...prefixBounds(filter.keyPrefix)],
  ['c.id = ? and c.clicked_at = ?', filter.click?.customerId, filter.click?.clickedAt],
  ['c.created_at >= ?', filter.from],
  ['c.created_at < ?', filter.to],
];

export function listCustomers(
  db: Queryable,
  programId: number,
  filter: CustomerFilter,
  page: PageOf<CustomerSort>,
): Promise<Positioned<ListedCustomer>[]> {
  return listSorted(db, SOURCE, conditions(programId, filter), page);
}

export function findCustomerTotals(db: Queryable, programId: number, filter: CustomerFilter): Promise<Totals> {
  return findTotals(db, SOURCE, conditions(programId, filter));
}

export type CustomerDetails = ListedCustomer & {
  isTest: boolean;
  leadAt: Date | null;
  leadState: 'provisional' | 'settled' | null;
  convertedAt: Date | null;
  erasedAt: Date | null;
};

/** The customer with this id in the program; with a `partnerId`, only if attributed to that partner. */
export async function findCustomerDetails(
  db: Queryable,
  programId: number,
  customerId: number,
  partnerId: number | null,
): Promise<CustomerDetails | null> {
  const [customer] = await db.query<CustomerDetails>(
    `select ${selectList(SOURCE.columns)}, c.is_test as "isTest", c.lead_at as "leadAt", c.lead_state as "leadState",
       c.converted_at as "convertedAt", c.erased_at as "erasedAt"
     from customers c left join partners p on p.id = c.partner_id
     where c.program_id = $1 and c.id = $2 and ($3::bigint is null or c.partner_id = $3)`,
    [programId, customerId, partnerId],
  );
  return customer ?? null;
}
