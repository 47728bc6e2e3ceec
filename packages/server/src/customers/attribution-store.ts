import type { Queryable } from '../db/db.ts';
import { CUSTOMERS, countChanged } from '../rollups/delta-store.ts';
import type { Customer } from './customer.ts';
import { CUSTOMER_COLUMNS } from './customer-store.ts';

/** Finds and locks a real customer of the program. */
export async function findCustomerForUpdate(db: Queryable, programId: number, id: number): Promise<Customer | null> {
  const [customer] = await db.query<Customer>(
    `select ${CUSTOMER_COLUMNS} from customers c
     where c.program_id = $1 and c.id = $2 and not c.is_test for no key update`,
    [programId, id],
  );
  return customer ?? null;
}

/** Whom a customer belongs to without a click on one of their links, and since when. */
export type Attribution = { partnerId: number; membershipId: number; at: Date };

/**
 * Assigns a customer to a partner; the transaction has locked the customer. The click stays, because the customer is still found
 * by it, but no link is credited.
 */
export async function updateAttribution(db: Queryable, customerId: number, attribution: Attribution): Promise<void> {
  await db.query(
    `with before as materialized (
       select * from customers where id = $1
     ), written as (
       update customers set partner_id = $2, membership_id = $3, link_id = null, assigned_at = $4 where id = $1 returning *
     ), ${countChanged(CUSTOMERS)}`,
    [customerId, attribution.partnerId, attribution.membershipId, attribution.at],
  );
}

// Ids are assigned in input order, so sorting them matches them to the customers.
const INSERT_ASSIGNED = `
  insert into customers (program_id, partner_id, membership_id, assigned_at, customer_key, is_test, created_at)
  select program_id, partner_id, membership_id, assigned_at, customer_key, false, created_at
  from json_populate_recordset(null::customers, $1::json) with ordinality order by ordinality
  on conflict do nothing returning id`;

/**
 * Adds customers who came with a coupon, and returns their ids in the same order. Fewer ids mean that one of the keys was
 * taken meanwhile.
 */
export async function insertAssignedCustomers(
  db: Queryable,
  added: { customer: Customer; createdAt: Date }[],
): Promise<number[]> {
  if (added.length === 0) return [];
  const rows = added.map(({ customer, createdAt }) => ({ ...assignedRow(customer), created_at: createdAt }));
  const inserted = await db.query<{ id: number }>(INSERT_ASSIGNED, [JSON.stringify(rows)]);
  return inserted.map(({ id }) => id).sort((one, other) => one - other);
}

/** Assigns customers to other partners and returns how many still belonged to the partner they are taken from. */
export async function updateAssignments(
  db: Queryable,
  assigned: { customer: Customer; partnerBeforeId: number | null }[],
): Promise<number> {
  if (assigned.length === 0) return 0;
  const rows = assigned.map(({ customer, partnerBeforeId }) => ({
    ...assignedRow(customer),
    partner_before_id: partnerBeforeId,
  }));
  const updated = await db.query(
    `with input as materialized (
       select * from json_to_recordset($1::json) as i(id bigint, partner_id bigint, membership_id bigint,
         assigned_at timestamptz, partner_before_id bigint)
     ), before as materialized (
       select c.* from input i join customers c on c.id = i.id and c.partner_id is not distinct from i.partner_before_id
       order by c.id for no key update of c
     ), written as (
       update customers c set partner_id = i.partner_id, membership_id = i.membership_id, link_id = null,
         assigned_at = i.assigned_at
       from before join input i on i.id = before.id where c.id = before.id returning c.*
     ), ${countChanged(CUSTOMERS, 'id')}`,
    [JSON.stringify(rows)],
  );
  return updated.length;
}

function assignedRow(customer: Customer) {
  return {
    id: customer.id,
    program_id: customer.programId,
    partner_id: customer.partnerId,
    membership_id: customer.membershipId,
    assigned_at: customer.assignedAt,
    customer_key: customer.customerKey,
  };
}
