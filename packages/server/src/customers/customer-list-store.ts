import {
  type CustomerDetails,
  type CustomerRow,
  type CustomerSort,
  customerDetails,
  type customerFilters,
  customerRow,
  type FiltersOf,
} from '@svc/contract';
import type { Queryable } from '../db/db.ts';
import { EVERYONE, inProgram, type ProgramScope, prefixBounds, type Selection } from '../db/lists/list-query.ts';
import { findRow, listSource } from '../db/lists/sorted-list.ts';
import type { AnnouncedRows, Announcement, FeedRows } from '../outbox/outbox-store.ts';
import type { MovedCustomer } from './attribution-store.ts';
import { type ClickId, formatClickId } from './click-id.ts';

export type CustomerFilter = FiltersOf<typeof customerFilters> & {
  keyPrefix?: string;
  /** Leaves out customers whose key is an e-mail address. */
  withoutEmailKeys?: boolean;
  click?: ClickId;
  /** Leaves out visitors of whom it is not decided which click is credited. */
  onlyDecided?: boolean;
  /** Searched together with `keyPrefix`: a customer matches by either one. */
  emailHash?: string;
};

type Facts = { clicked_at: string | null };

/**
 * The sub-id of a customer `c`. It is the partner's whose link was clicked, so a partner who got the customer later does not see it.
 */
export const CUSTOMER_SUB = 'case when c.assigned_at is null then c.sub end';

const FROM = {
  table: 'customers',
  as: 'c',
  joins: 'left join partners p on p.id = c.partner_id',
  columns: { partner_name: 'p.name', clicked_at: 'c.clicked_at', sub: CUSTOMER_SUB },
  computed: {
    click_id: ({ id, clicked_at: at }: Facts & { id: number }) =>
      at && formatClickId({ customerId: id, clickedAt: new Date(at) }),
  },
};

export const CUSTOMERS = listSource<CustomerRow, CustomerSort, never, 'click_id', Facts>({
  ...FROM,
  row: customerRow,
  sorts: { created_at: 'time', partner_name: 'text' },
});

/** The rows of events about them. */
export const CUSTOMER_ROWS: FeedRows = {
  subject: 'customer',
  source: CUSTOMERS,
  key: 'c.id = i.id',
  about: { customer: 'id', partner: 'partner_id' },
};

/** Announces that customers are another partner's now. */
export function movedCustomers(
  moved: MovedCustomer[],
  decisionOf: (customerId: number) => number | undefined,
): AnnouncedRows {
  const events = moved.map(({ id, programId, fromPartnerId, fromPartnerName }): Announcement => {
    const previous = { partner_id: fromPartnerId, partner_name: fromPartnerName };
    return { type: 'customer.assigned', programId, id, previous, decisionId: decisionOf(id) };
  });
  return { rows: CUSTOMER_ROWS, events };
}

const DETAILS = listSource<CustomerDetails, never, never, 'click_id', Facts>({
  ...FROM,
  row: customerDetails,
  sorts: {},
});

/**
 * Whether it is decided which click of a customer `c` is credited. Where the last one is, partners see nobody before that: the id
 * of a visitor would let them report one more click.
 */
const IS_DECIDED = `(c.lead_state = 'settled' or c.converted_at is not null or c.assigned_at is not null)`;

const SCOPE = { program: 'c.program_id', partner: 'c.partner_id' };
const IN_BOUNDS = 'c.customer_key >= ? and c.customer_key < ?';

export function selectCustomers(scope: ProgramScope, filter: CustomerFilter): Selection {
  return {
    scope: [...inProgram(SCOPE, scope), ['not c.is_test']],
    filters: [
      ...(filter.onlyDecided ? [[IS_DECIDED] as [string]] : []),
      ['c.status = ?', filter.status],
      // A constant beside the parameter lets the planner use the partial index of customers who did more than click.
      ...(filter.status && filter.status !== 'click' ? [[`c.status <> 'click'`] as [string]] : []),
      ['c.customer_key = ?', filter.customer_key],
      ...(filter.withoutEmailKeys ? [[`position('@' in c.customer_key) = 0`] as [string]] : []),
      filter.emailHash
        ? [`(c.email_hash = ? or ${IN_BOUNDS})`, filter.emailHash, ...prefixBounds(filter.keyPrefix)]
        : [IN_BOUNDS, ...prefixBounds(filter.keyPrefix)],
      ['c.id = ? and c.clicked_at = ?', filter.click?.customerId, filter.click?.clickedAt],
      ['c.created_at >= ?', filter.from],
      ['c.created_at < ?', filter.to],
    ],
  };
}

export function findCustomer(db: Queryable, programId: number, customerId: number): Promise<CustomerRow | null> {
  const scope = inProgram(SCOPE, { programId, partnerId: EVERYONE });
  return findRow(db, CUSTOMERS, [...scope, ['c.id = ?', customerId]]);
}

/** The customer with this id, if it is one of the program and of the partner. */
export function findCustomerDetails(
  db: Queryable,
  scope: ProgramScope,
  customerId: number,
  { onlyDecided }: Pick<CustomerFilter, 'onlyDecided'> = {},
): Promise<CustomerDetails | null> {
  const decided = onlyDecided ? [[IS_DECIDED] as [string]] : [];
  return findRow(db, DETAILS, [...inProgram(SCOPE, scope), ...decided, ['c.id = ?', customerId]]);
}
