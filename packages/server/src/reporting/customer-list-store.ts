import type { CustomerStatus } from '@svc/contract';
import type { ClickId } from '../clicks/click-id.ts';
import type { Queryable } from '../db/db.ts';
import { listQuery, prefixBounds } from '../db/list-query.ts';
import type { LastRow } from './cursor.ts';

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
  before: LastRow | null;
  limit: number;
};

const COLUMNS = `c.id, c.clicked_at as "clickedAt", c.customer_key as "customerKey", c.status,
  c.partner_id as "partnerId", p.name as "partnerName", c.email_masked as "emailMasked", c.created_at as "createdAt"`;

const IN_BOUNDS = 'c.customer_key >= ? and c.customer_key < ?';

export function listCustomers(db: Queryable, programId: number, filter: CustomerFilter): Promise<ListedCustomer[]> {
  return db.query<ListedCustomer>(
    ...listQuery(
      `select ${COLUMNS} from customers c left join partners p on p.id = c.partner_id`,
      [
        ['c.program_id = ?', programId],
        ['not c.is_test'],
        ['c.partner_id = ?', filter.partnerId],
        ['c.status = ?', filter.status],
        // A constant beside the parameter lets the planner use the partial index of customers who did more than click.
        ...(filter.status && filter.status !== 'click' ? [[`c.status <> 'click'`] as [string]] : []),
        ['c.customer_key = ?', filter.customerKey],
        ...(filter.withoutEmailKeys ? [[`position('@' in c.customer_key) = 0`] as [string]] : []),
        filter.emailHash
          ? [`(c.email_hash = ? or ${IN_BOUNDS})`, filter.emailHash, ...prefixBounds(filter.keyPrefix)]
          : [IN_BOUNDS, ...prefixBounds(filter.keyPrefix)],
        ['c.id = ? and c.clicked_at = ?', filter.click?.customerId, filter.click?.clickedAt],
        ['c.created_at >= ?', filter.from],
        ['c.created_at < ?', filter.to],
        ['(c.created_at, c.id) < (?, ?)', filter.before?.at, filter.before?.id],
      ],
      'c.created_at desc, c.id desc',
      filter.limit,
    ),
  );
}

export type CustomerDetails = ListedCustomer & {
  isTest: boolean;
  leadAt: Date | null;
  leadState: 'provisional' | 'settled' | null;
  convertedAt: Date | null;
};

/** The customer with this id in the program; with a `partnerId`, only if attributed to that partner. */
export async function findCustomerDetails(
  db: Queryable,
  programId: number,
  customerId: number,
  partnerId: number | null,
): Promise<CustomerDetails | null> {
  const [customer] = await db.query<CustomerDetails>(
    `select ${COLUMNS}, c.is_test as "isTest", c.lead_at as "leadAt", c.lead_state as "leadState",
       c.converted_at as "convertedAt"
     from customers c left join partners p on p.id = c.partner_id
     where c.program_id = $1 and c.id = $2 and ($3::bigint is null or c.partner_id = $3)`,
    [programId, customerId, partnerId],
  );
  return customer ?? null;
}
