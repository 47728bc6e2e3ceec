import type { Queryable } from '../db/db.ts';
import { isAudited, type Judged } from '../partners/imported-partner-store.ts';
import type { StoredEmail } from './customer-store.ts';

/** What identifies a customer of another tool. */
export type Sought = { key: string; references: string[]; emailHash: string | null };
/** Who it may be: by the key and the ids at payment processors, which ought to be one, and by the address. */
export type FoundCustomer = { certain: number[]; byEmail: number | undefined };

/**
 * The real customers of the program who may be the ones that are sought, in the same order. An address finds only customers for whom the program's
 * server or an import vouches, and of several the first.
 */
export async function listSoughtCustomers(
  db: Queryable,
  programId: number,
  sought: Sought[],
): Promise<FoundCustomer[]> {
  // One by one, each by its index: without statistics, a join or a list reads all customers of the program.
  const byKey = await db.query<Named>(
    `select name, found.id from unnest($2::text[]) name cross join lateral (
       select id from customers where program_id = $1 and customer_key = name and not is_test limit 1) found`,
    [programId, sought.map(({ key }) => key)],
  );
  const byReference = await db.query<Named>(
    `select name, found.id from unnest($2::text[]) name
     cross join lateral (
       select customer_id from processor_identities where program_id = $1 and reference = name limit 1) known
     cross join lateral (
       select id from customers where id = known.customer_id and program_id = $1 and not is_test limit 1) found`,
    [programId, sought.flatMap(({ references }) => references)],
  );
  const byEmail = await db.query<Named>(
    `select name, found.id from unnest($2::text[]) name cross join lateral (
       select id from customers where program_id = $1 and email_hash = name and not is_test
         and (lead_state = 'settled' and lead_source = 'server' or imported_at is not null and email_source = 'server')
       order by coalesce(lead_at, imported_at), id limit 1) found`,
    [programId, [...new Set(sought.flatMap(({ emailHash }) => emailHash ?? []))]],
  );
  const [keys, references, emails] = [byKey, byReference, byEmail].map(
    (named) => new Map(named.map(({ name, id }) => [name, id])),
  ) as [Ids, Ids, Ids];
  return sought.map(({ key, references: own, emailHash }) => {
    const ids = [keys.get(key), ...own.map((reference) => references.get(reference))];
    const certain = new Set(ids.filter((id) => id !== undefined));
    return { certain: [...certain], byEmail: emailHash === null ? undefined : emails.get(emailHash) };
  });
}

type Named = { name: string; id: number };
type Ids = Map<string, number>;

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
export async function judgeCustomers(
  db: Queryable,
  programId: number,
  customers: { id: number; assignedAt: Date }[],
): Promise<Judged[]> {
  const judged = await db.query<Judged & { assignedAt: Date | null }>(
    `with locked as materialized (
       select * from customers where program_id = $1 and id = any ($2::bigint[]) order by id for update)
     select c.id, c.assigned_at as "assignedAt", case
       when c.converted_at is not null or exists (select 1 from sales s where s.customer_id = c.id) then 'sales'
       when c.lead_at is not null then 'signup'
       when c.clicked_at is not null then 'clicks'
       when exists (select 1 from decisions d where d.customer_id = c.id)
         or exists (select 1 from processor_events e where e.customer_id = c.id and e.payload_sealed is not null)
         or exists (select 1 from customer_credits k where k.customer_id = c.id) then 'sales'
       when c.erased_at is not null or ${isAudited('customer', 'c.id')} then 'changed' end as kept
     from locked c`,
    [programId, customers.map(({ id }) => id)],
  );
  const since = new Map(customers.map(({ id, assignedAt }) => [id, assignedAt.getTime()]));
  return judged.map(({ id, kept, assignedAt }) => {
    const isMoved = assignedAt?.getTime() !== since.get(id);
    return { id, kept: kept ?? (isMoved ? 'changed' : null) };
  });
}

/** Removes customers whom the transaction has judged. */
export async function deleteImportedCustomers(db: Queryable, programId: number, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await db.query('delete from customers where program_id = $1 and id = any ($2::bigint[])', [programId, ids]);
}
