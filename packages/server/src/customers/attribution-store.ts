import type { Queryable } from '../db/db.ts';
import { CUSTOMERS, countChanged } from '../rollups/delta-store.ts';
import type { VisitorClick } from '../terms/credited-click.ts';
import type { Customer } from './customer.ts';
import { CUSTOMER_COLUMNS, customerColumns } from './customer-store.ts';

/** Finds and locks a real customer of the program. */
export async function findCustomerForUpdate(db: Queryable, programId: number, id: number): Promise<Customer | null> {
  const [customer] = await db.query<Customer>(
    `select ${CUSTOMER_COLUMNS} from customers c
     where c.program_id = $1 and c.id = $2 and not c.is_test for no key update`,
    [programId, id],
  );
  return customer ?? null;
}

/**
 * Joins as `was` to a customer `c` the attribution of an earlier time, if another one has replaced it since. Before the first one
 * nobody is credited. It is unknown only for customers who clicked and were moved before moves were kept. An attribution that
 * neither came with the customer nor was assigned is that of a later click, since when it was made.
 */
export const earlierAttribution = (at: string) => `
  left join lateral (
    select c.id as customer_id, a.partner_id, a.membership_id, a.link_id, a.assigned_at,
      case when a.assigned_at is null and a.since > '-infinity' then a.since end as credited_click_at
    from (select coalesce(c.assigned_at, c.credited_click_at) > ${at} as is_replaced) now
    left join lateral (
      select * from attributions a where a.customer_id = c.id and a.since <= ${at} order by a.since desc limit 1) a on true
    where now.is_replaced and (a.customer_id is not null or c.clicked_at is null
      or exists (select from attributions other where other.customer_id = c.id))) was on true`;

/** The partner that a customer belonged to at a time, if the history says so. */
export const holderAt = (customerId: string, at: string) => `(
  select a.partner_id from attributions a where a.customer_id = ${customerId} and a.since <= ${at}
  order by a.since desc limit 1)`;

/** Whether the customer was given to a partner at that very time, as a coupon does with its payment. */
export async function isMovedAt(db: Queryable, customerId: number, at: Date): Promise<boolean> {
  const rows = await db.query('select 1 from attributions where customer_id = $1 and since = $2', [customerId, at]);
  return rows.length > 0;
}

/** The select list of a customer `c` as of the time of `earlierAttribution`. */
export const CUSTOMER_COLUMNS_THEN = customerColumns(
  (column) => `case when was.customer_id is null then c.${column} else was.${column} end`,
);

/** A customer who becomes the partner's without a click on their link, from `assignedAt` on. */
export type Assigned = Pick<Customer, 'id' | 'partnerId' | 'membershipId' | 'assignedAt'>;

// The current attribution has no row yet if it is the first one. It may be that of a customer without a partner.
const INSERT_CURRENT = `
  insert into attributions (customer_id, since, partner_id, membership_id, link_id, assigned_at)
  select c.id, coalesce(c.assigned_at, c.credited_click_at, '-infinity'), c.partner_id, c.membership_id, c.link_id, c.assigned_at
  from customers c where c.id = any ($1::bigint[])
  on conflict do nothing`;

const INSERT_ATTRIBUTIONS = `
  insert into attributions (customer_id, since, partner_id, membership_id, assigned_at)
  select i.id, i.assigned_at, i.partner_id, i.membership_id, i.assigned_at
  from json_populate_recordset(null::customers, $1::json) i
  on conflict (customer_id, since) do update
    set partner_id = excluded.partner_id, membership_id = excluded.membership_id, link_id = null`;

/** A customer who is another partner's now. */
export type MovedCustomer = {
  id: number;
  programId: number;
  partnerId: number | null;
  fromPartnerId: number | null;
  fromPartnerName: string | null;
};

const MOVED = `id, program_id as "programId", partner_id as "partnerId",
  (select before.partner_id from before where before.id = written.id) as "fromPartnerId",
  (select p.name from before join partners p on p.id = before.partner_id where before.id = written.id) as "fromPartnerName"`;

const isMoved = ({ fromPartnerId, partnerId }: MovedCustomer) => fromPartnerId !== partnerId;

const UPDATE_CURRENT = `
  with input as materialized (
    select * from json_populate_recordset(null::customers, $1::json)
  ), before as materialized (
    select c.* from input i join customers c on c.id = i.id and (c.assigned_at is null or c.assigned_at <= i.assigned_at)
  ), written as (
    update customers c set partner_id = i.partner_id, membership_id = i.membership_id, link_id = null,
      assigned_at = i.assigned_at
    from before join input i on i.id = before.id where c.id = before.id returning c.*
  ), ${countChanged(CUSTOMERS, MOVED)}`;

/**
 * Assigns customers whom the transaction has locked, each from a time on. A customer who was assigned again at a later time stays
 * with that partner. The click stays, because the customer is still found by it, but no link is credited. Returns those who are
 * another partner's now.
 */
export async function updateAssigned(db: Queryable, assigned: Assigned[]): Promise<MovedCustomer[]> {
  const rows = JSON.stringify(assigned.map(assignedRow));
  await db.query(INSERT_CURRENT, [assigned.map(({ id }) => id)]);
  await db.query(INSERT_ATTRIBUTIONS, [rows]);
  return (await db.query<MovedCustomer>(UPDATE_CURRENT, [rows])).filter(isMoved);
}

/** The click of a customer that is credited instead of the first one. */
export type CreditedClick = { customerId: number; click: VisitorClick };

/**
 * Credits later clicks of customers whom the transaction has locked. Payments from before such a click stay with the partner of
 * their time.
 */
export async function updateCreditedClicks(db: Queryable, credited: CreditedClick[]): Promise<void> {
  if (credited.length === 0) return;
  const rows = credited.map(({ customerId, click }) => ({
    id: customerId,
    partner_id: click.partnerId,
    membership_id: click.membershipId,
    link_id: click.linkId,
    sub: click.sub,
    credited_click_at: click.clickedAt,
  }));
  await db.query(
    `with input as materialized (
       select * from json_populate_recordset(null::customers, $1::json)
     ), before as materialized (
       select c.* from input i join customers c on c.id = i.id
     ), kept as (
       insert into attributions (customer_id, since, partner_id, membership_id, link_id)
       select id, '-infinity', partner_id, membership_id, link_id from before
       union all select id, credited_click_at, partner_id, membership_id, link_id from input
     ), written as (
       update customers c set partner_id = i.partner_id, membership_id = i.membership_id, link_id = i.link_id, sub = i.sub,
         credited_click_at = i.credited_click_at
       from input i where c.id = i.id returning c.*
     ), ${countChanged(CUSTOMERS)}`,
    [JSON.stringify(rows)],
  );
}

/** Locks customers, and returns how many of them have still neither signed up nor bought, nor been moved. */
export async function lockUndecided(db: Queryable, customerIds: number[]): Promise<number> {
  const locked = await db.query(
    `select id from customers
     where id = any ($1::bigint[]) and lead_state is distinct from 'settled' and converted_at is null
       and assigned_at is null and credited_click_at is null
     order by id for no key update`,
    [customerIds],
  );
  return locked.length;
}

type Assignment = { customerId: number; partnerId: number; since: Date };

/** When a customer who was never without a partner became their first one's. */
export async function findFirstAssignment(db: Queryable, customer: Customer): Promise<Assignment | null> {
  const [first] = await db.query<Assignment>(
    `select customer_id as "customerId", partner_id as "partnerId", since from attributions
     where customer_id = $1 order by since limit 1`,
    [customer.id],
  );
  if (first) return first;
  const { id: customerId, partnerId, assignedAt: since } = customer;
  return partnerId === null || since === null ? null : { customerId, partnerId, since };
}

/** Locks customers who are still their partner's since these times, and have bought nothing since then. */
export function listPartnersOfCustomers(
  db: Queryable,
  programId: number,
  customers: { id: number; assignedAt: Date }[],
): Promise<Assignment[]> {
  return db.query<Assignment>(
    `select c.id as "customerId", c.partner_id as "partnerId", c.assigned_at as since
     from json_to_recordset($2::json) as i(id bigint, "assignedAt" timestamptz)
     join customers c on c.program_id = $1 and c.id = i.id and c.assigned_at = i."assignedAt" and c.partner_id is not null
     where not exists (select 1 from sales s where s.customer_id = c.id and s.created_at >= c.assigned_at)
     order by c.id for no key update of c`,
    [programId, JSON.stringify(customers)],
  );
}

/** Takes back that a customer became the partner's at a time, as if that had never been. Returns them if they moved. */
export async function deleteAssignment(
  db: Queryable,
  { customerId, partnerId, since }: Assignment,
): Promise<MovedCustomer[]> {
  const row = 'customer_id = $1 and partner_id = $2 and since = $3';
  const changed = await db.query<MovedCustomer>(
    `with before as materialized (
       select c.* from customers c where c.id = $1 and c.partner_id = $2 and c.assigned_at = $3
         and exists (select from attributions where ${row}) for no key update
     ), written as (
       update customers c set (partner_id, membership_id, link_id, assigned_at) = (
         select a.partner_id, a.membership_id, a.link_id, a.assigned_at from attributions a
         where a.customer_id = c.id and a.since <> $3 order by a.since desc limit 1)
       from before where c.id = before.id returning c.*
     ), ${countChanged(CUSTOMERS, MOVED)}`,
    [customerId, partnerId, since],
  );
  await db.query(`delete from attributions where ${row}`, [customerId, partnerId, since]);
  return changed.filter(isMoved);
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
  const rows = added.map(({ customer, createdAt }) => {
    const { programId: program_id, customerKey: customer_key } = customer;
    return { ...assignedRow(customer), program_id, customer_key, created_at: createdAt };
  });
  const inserted = await db.query<{ id: number }>(INSERT_ASSIGNED, [JSON.stringify(rows)]);
  return inserted.map(({ id }) => id).sort((one, other) => one - other);
}

/** The partner a customer belongs to now, and since when if they were assigned without a click. */
export type Holder = Pick<Customer, 'id' | 'partnerId' | 'assignedAt'>;

/** Locks customers, and returns how many still belong to the same partner as when they were looked up. */
export async function lockHolders(db: Queryable, holders: Holder[]): Promise<number> {
  const rows = holders.map(({ id, partnerId, assignedAt }) => ({
    id,
    partner_id: partnerId,
    assigned_at: assignedAt,
  }));
  const locked = await db.query(
    `select c.id from customers c join json_populate_recordset(null::customers, $1::json) i on i.id = c.id
     where c.partner_id is not distinct from i.partner_id
       and date_trunc('milliseconds', c.assigned_at) is not distinct from i.assigned_at
     order by c.id for no key update of c`,
    [JSON.stringify(rows)],
  );
  return locked.length;
}

function assignedRow({ id, partnerId, membershipId, assignedAt }: Assigned) {
  return { id, partner_id: partnerId, membership_id: membershipId, assigned_at: assignedAt };
}
