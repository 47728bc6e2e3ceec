import type { Queryable } from '../db/db.ts';
import { isAudited, type Judged } from '../partners/imported-partner-store.ts';
import type { StoredEmail } from './customer-store.ts';

/** What identifies a customer of another tool. */
export type Sought = { key: string; references: string[]; emailHash: string | null };
export type FoundCustomer = { position: number; id: number; by: 'key' | 'reference' | 'email' };

/**
 * The real customers of the program who may be the ones that are sought. An address finds only somebody for whom the program's
 * server or an import vouches, and of several the first.
 */
export function listSoughtCustomers(db: Queryable, programId: number, sought: Sought[]): Promise<FoundCustomer[]> {
  const rows = sought.map(({ key, references, emailHash }, position) => ({
    position,
    key,
    references,
    email_hash: emailHash,
  }));
  return db.query<FoundCustomer>(
    `with i as materialized (
       select * from json_to_recordset($2::json) as i(position int, key text, "references" text[], email_hash text))
     select i.position, c.id, 'key' as by from i
       join customers c on c.program_id = $1 and c.customer_key = i.key and not c.is_test
     union all
     select distinct i.position, c.id, 'reference' from i
       cross join lateral unnest(i."references") sought (reference)
       join processor_identities r on r.program_id = $1 and r.reference = sought.reference
       join customers c on c.id = r.customer_id and c.program_id = $1 and not c.is_test
     union all
     select i.position, c.id, 'email' from i join lateral (
       select id from customers c where c.program_id = $1 and c.email_hash = i.email_hash and not c.is_test
         and (c.lead_state = 'settled' and c.lead_source = 'server' or c.imported_at is not null and c.email_source = 'server')
       order by coalesce(c.lead_at, c.imported_at), c.id limit 1) c on true
     where i.email_hash is not null`,
    [programId, JSON.stringify(rows)],
  );
}

export type ImportedCustomer = {
  programId: number;
  partnerId: number;
  membershipId: number;
  customerKey: string;
  email: StoredEmail | null;
  firstSeenAt: Date | null;
};

/**
 * Adds customers who are their partner's from now on, without a click. Nobody was credited for them before, which the history
 * says, so their key counts as much as one that the program's server reported. Returns their ids by key.
 */
export async function insertImportedCustomers(
  db: Queryable,
  customers: ImportedCustomer[],
  now: Date,
): Promise<Map<string, number>> {
  if (customers.length === 0) return new Map();
  const rows = customers.map(({ programId, partnerId, membershipId, customerKey, email, firstSeenAt }) => ({
    program_id: programId,
    partner_id: partnerId,
    membership_id: membershipId,
    customer_key: customerKey,
    email_hash: email?.hash,
    email_masked: email?.masked,
    email_identity_hash: email?.identityHash,
    email_source: email?.source,
    first_seen_at: firstSeenAt,
  }));
  const inserted = await db.query<{ id: number; key: string }>(
    `with added as (
       insert into customers (program_id, partner_id, membership_id, assigned_at, customer_key, email_hash, email_masked,
         email_identity_hash, email_source, first_seen_at, imported_at, is_test, created_at)
       select program_id, partner_id, membership_id, $2, customer_key, email_hash, email_masked, email_identity_hash,
         email_source, first_seen_at, $2, false, $2
       from json_populate_recordset(null::customers, $1::json) with ordinality order by ordinality
       returning id, customer_key, partner_id, membership_id
     )
     select id, customer_key as key from added`,
    [JSON.stringify(rows), now],
  );
  await db.query(
    `insert into attributions (customer_id, since, partner_id, membership_id, assigned_at)
     select c.id, a.since, case when a.is_given then c.partner_id end, case when a.is_given then c.membership_id end,
       case when a.is_given then c.assigned_at end
     from customers c, lateral (values ('-infinity'::timestamptz, false), (c.assigned_at, true)) a (since, is_given)
     where c.id = any ($1::bigint[])`,
    [inserted.map(({ id }) => id)],
  );
  return new Map(inserted.map(({ id, key }) => [key, id]));
}

/** Stores what an import knows of customers who were there already, where nothing is known yet. */
export async function updateImported(
  db: Queryable,
  programId: number,
  known: { id: number; customerKey: string; firstSeenAt: Date | null }[],
  now: Date,
): Promise<void> {
  if (known.length === 0) return;
  await db.query(
    `update customers c set customer_key = coalesce(c.customer_key, i."customerKey"), imported_at = coalesce(c.imported_at, $3),
       first_seen_at = coalesce(c.first_seen_at, i."firstSeenAt")
     from json_to_recordset($2::json) as i(id bigint, "customerKey" text, "firstSeenAt" timestamptz)
     where c.program_id = $1 and c.id = i.id`,
    [programId, JSON.stringify(known), now],
  );
}

/** Locks customers, and says why each has to stay: null for those to whom nothing has happened since they were imported. */
export function judgeCustomers(
  db: Queryable,
  programId: number,
  customers: { id: number; assignedAt: Date }[],
): Promise<Judged[]> {
  const rows = customers.map(({ id, assignedAt }) => ({ id, assigned_at: assignedAt }));
  return db.query<Judged>(
    `with locked as materialized (
       select c.*, c.assigned_at is distinct from i.assigned_at as is_moved
       from json_populate_recordset(null::customers, $2::json) i
       join customers c on c.program_id = $1 and c.id = i.id order by c.id for update of c)
     select c.id, case
       when c.converted_at is not null or exists (select 1 from sales s where s.customer_id = c.id) then 'sales'
       when c.lead_at is not null then 'signup'
       when c.clicked_at is not null then 'clicks'
       when exists (select 1 from decisions d where d.customer_id = c.id)
         or exists (select 1 from processor_events e where e.customer_id = c.id and e.payload_sealed is not null)
         or exists (select 1 from customer_credits k where k.customer_id = c.id) then 'sales'
       when c.is_moved or c.erased_at is not null or ${isAudited('customer', 'c.id')} then 'changed' end as kept
     from locked c`,
    [programId, JSON.stringify(rows)],
  );
}

/** Removes customers whom the transaction has judged. */
export async function deleteImportedCustomers(db: Queryable, programId: number, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await db.query('delete from customers where program_id = $1 and id = any ($2::bigint[])', [programId, ids]);
}
