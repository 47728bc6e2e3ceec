import type { Customer } from '../customers/customer.ts';
import { CUSTOMER_COLUMNS } from '../customers/customer-store.ts';
import type { Queryable } from '../db/db.ts';
import type { ScopedKey } from './candidates.ts';

export function listCustomers(db: Queryable, ids: number[]): Promise<Customer[]> {
  return db.query<Customer>(`select ${CUSTOMER_COLUMNS} from customers c where c.id = any ($1::bigint[])`, [ids]);
}

export type RelatedCustomer = Pick<Customer, 'id' | 'customerKey' | 'claimedCustomerKey'>;

/** The customers of the program with these ids, and those who hold or claim these keys. */
export function listRelatedCustomers(
  db: Queryable,
  programId: number,
  { ids, keys }: { ids: number[]; keys: string[] },
): Promise<RelatedCustomer[]> {
  return db.query<RelatedCustomer>(
    `with related as (
       select id from customers where id = any ($2::bigint[]) and program_id = $1
       union select id from customers where program_id = $1 and customer_key = any ($3::text[])
       union select id from customers
         where program_id = $1 and claimed_customer_key = any ($3::text[]) and lead_state = 'provisional')
     select c.id, c.customer_key as "customerKey", c.claimed_customer_key as "claimedCustomerKey"
     from customers c join related using (id)`,
    [programId, ids, keys],
  );
}

// A key has at most one holder. Two claims are enough to know that several pages claim it; the one without a click is always
// among them, because a key has at most one such claim.
const LOCK_CANDIDATES = `
  with wanted as materialized (
    select program_id, customer_key, is_test from json_populate_recordset(null::customers, $2::json)
  ), holders as (
    select c.id from wanted k
    join customers c on c.program_id = k.program_id and c.customer_key = k.customer_key and c.is_test = k.is_test
  ), claimants as (
    select claim.id from wanted k cross join lateral (
      select c.id from customers c
      where c.program_id = k.program_id and c.claimed_customer_key = k.customer_key and c.is_test = k.is_test
        and c.lead_state = 'provisional'
      order by c.clicked_at is not null, c.lead_at, c.id limit 2) claim
  )
  select ${CUSTOMER_COLUMNS} from customers c
  where c.id = any ($1::bigint[] || array(select id from holders union select id from claimants)) and c.erased_at is null
  order by c.id for no key update`;

/**
 * Locks the customers with these ids and those who hold or claim these keys, and returns their current state. They are
 * locked in id order, so that two groups of leads wait for each other instead of deadlocking.
 */
export function lockCandidates(db: Queryable, ids: number[], keys: ScopedKey[]): Promise<Customer[]> {
  const rows = keys.map((key) => ({
    program_id: key.programId,
    customer_key: key.customerKey,
    is_test: key.isTest,
  }));
  return db.query<Customer>(LOCK_CANDIDATES, [ids, JSON.stringify(rows)]);
}
