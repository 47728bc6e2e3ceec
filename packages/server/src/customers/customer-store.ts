import type { Queryable } from '../db/db.ts';
import { columnValues, rowsOfColumns } from '../db/row-columns.ts';
import { CUSTOMERS, CUSTOMERS_WHO_BUY, countAdded, countChanged } from '../rollups/delta-store.ts';
import type { Customer, LeadSource } from './customer.ts';

/** The columns that say which partner a customer belongs to. */
type AttributionColumn = 'link_id' | 'partner_id' | 'membership_id' | 'assigned_at' | 'credited_click_at';

/** The select list of a customer `c` whose attribution is read with other SQL. */
export const customerColumns = (
  attributed: (column: AttributionColumn) => string,
) => `c.id, c.program_id as "programId",
  ${attributed('link_id')} as "linkId", ${attributed('partner_id')} as "partnerId",
  ${attributed('membership_id')} as "membershipId", c.clicked_at as "clickedAt", c.customer_key as "customerKey", c.status,
  c.lead_at as "leadAt", c.lead_state as "leadState", c.lead_source as "leadSource",
  c.claimed_customer_key as "claimedCustomerKey",
  c.converted_at as "convertedAt", ${attributed('assigned_at')} as "assignedAt",
  ${attributed('credited_click_at')} as "creditedClickAt", c.is_test as "isTest"`;

/** The select list of a customer `c`. */
export const CUSTOMER_COLUMNS = customerColumns((column) => `c.${column}`);

/** Part of the click statement: adds a customer for every row of `input` that is a first click. */
export const INSERT_CLICKED_CUSTOMERS = `
  insert into customers (id, program_id, link_id, partner_id, membership_id, clicked_at, is_test, created_at, sub)
  select customer_id, program_id, link_id, partner_id, membership_id, clicked_at, is_test, clicked_at, sub
  from input where known_id is null`;

/** Locks customers for the rest of the transaction, always in the same order, and returns their current state. */
export function listCustomersForUpdate(db: Queryable, ids: number[]): Promise<Customer[]> {
  return db.query<Customer>(
    `select ${CUSTOMER_COLUMNS} from customers c where c.id = any ($1::bigint[]) order by c.id for no key update`,
    [ids],
  );
}

/** The parts of an e-mail that are stored. */
export type StoredEmail = {
  /** To match payments by it. */
  hash: string;
  /** To recognize partners who refer themselves: see `hashEmailIdentity`. */
  identityHash: string;
  /** For people. */
  masked: string;
  source: LeadSource;
};

/** A customer as a lead changed it. The e-mail is null if the lead has none. */
export type LeadChange = { customer: Customer; email: StoredEmail | null };

/** Writes the changes of leads to customers that the transaction has locked. */
export async function updateLeads(db: Queryable, changes: LeadChange[]): Promise<void> {
  if (changes.length === 0) return;
  await db.query(
    `with input as materialized (
       select * from json_populate_recordset(null::customers, $1::json)
     ), before as materialized (
       select c.* from input i join customers c on c.id = i.id
     ), written as (
       update customers c set status = i.status, lead_at = i.lead_at, lead_state = i.lead_state,
         lead_source = i.lead_source,
         customer_key = i.customer_key, claimed_customer_key = i.claimed_customer_key,
         email_hash = coalesce(i.email_hash, c.email_hash), email_masked = coalesce(i.email_masked, c.email_masked),
         email_source = coalesce(i.email_source, c.email_source),
         email_identity_hash = coalesce(i.email_identity_hash, c.email_identity_hash)
       from input i where c.id = i.id returning c.*
     ), ${countChanged(CUSTOMERS)}`,
    [JSON.stringify(changes.map(leadRow))],
  );
}

// Ids are assigned in input order, so sorting them matches them to the customers.
const INSERT_LEADS = `
  with written as (
    insert into customers (program_id, customer_key, claimed_customer_key, email_hash, email_masked, email_identity_hash, email_source,
      lead_state, lead_source, lead_at, status, is_test, created_at)
    select program_id, customer_key, claimed_customer_key, email_hash, email_masked, email_identity_hash, email_source,
      lead_state, lead_source, lead_at, status, is_test, lead_at
    from json_populate_recordset(null::customers, $1::json) with ordinality order by ordinality
    returning *
  ), ${countAdded(CUSTOMERS, 'id')}`;

/** Adds customers who signed up without a click and returns their ids in the same order. */
export async function insertLeads(db: Queryable, leads: LeadChange[]): Promise<number[]> {
  if (leads.length === 0) return [];
  const rows = await db.query<{ id: number }>(INSERT_LEADS, [JSON.stringify(leads.map(leadRow))]);
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

function leadRow({ customer, email }: LeadChange) {
  return {
    id: customer.id,
    program_id: customer.programId,
    customer_key: customer.customerKey,
    claimed_customer_key: customer.claimedCustomerKey,
    email_hash: email?.hash,
    email_masked: email?.masked,
    email_source: email?.source,
    email_identity_hash: email?.identityHash,
    lead_state: customer.leadState,
    lead_source: customer.leadSource,
    lead_at: customer.leadAt,
    status: customer.status,
    is_test: customer.isTest,
  };
}

const FIRST_SALES = { id: 'bigint', converted_at: 'timestamptz' } as const;

/** Records when customers first bought. An earlier purchase that becomes known later replaces the date. */
export async function updateConversions(db: Queryable, firstSales: Map<number, Date>): Promise<void> {
  if (firstSales.size === 0) return;
  await db.query(
    `with before as materialized (
       select c.id, c.program_id, c.partner_id, c.link_id, c.converted_at, c.is_test, first.converted_at as first_at
       from (select ${rowsOfColumns(FIRST_SALES)}) first join customers c on c.id = first.id
       where c.converted_at is null or c.converted_at > first.converted_at
       order by c.id for no key update of c
     ), written as (
       update customers c set status = 'conversion', converted_at = before.first_at from before where c.id = before.id
       returning c.program_id, c.partner_id, c.link_id, c.converted_at, c.is_test
     ), ${countChanged(CUSTOMERS_WHO_BUY)}`,
    columnValues(
      FIRST_SALES,
      [...firstSales].map(([id, converted_at]) => ({ id, converted_at })),
    ),
  );
}

/**
 * Records when a customer first bought after a sale of theirs was taken back, or that they have not bought at all. Locks the customer
 * first: sales that others add or take back at the same time are either seen here, or see what is written here.
 */
export async function updateConversion(db: Queryable, customerId: number): Promise<void> {
  await db.query('select from customers where id = $1 for update', [customerId]);
  await db.query(
    `with before as materialized (
       select c.*, first.at as first_at
       from customers c, (select min(created_at) as at from sales where customer_id = $1 and not is_test) first
       where c.id = $1 and c.converted_at is distinct from first.at for no key update of c
     ), written as (
       update customers c set converted_at = before.first_at,
         status = case when before.first_at is not null then 'conversion' when c.lead_at is not null then 'lead' else 'click' end
       from before where c.id = before.id returning c.*
     ), ${countChanged(CUSTOMERS)}`,
    [customerId],
  );
}

/** The partner who is credited for the customer. */
export async function findCustomerPartner(db: Queryable, customerId: number): Promise<number | null> {
  const [row] = await db.query<{ partnerId: number | null }>(
    'select partner_id as "partnerId" from customers where id = $1',
    [customerId],
  );
  return row?.partnerId ?? null;
}
