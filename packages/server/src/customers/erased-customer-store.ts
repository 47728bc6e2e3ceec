import type { Queryable } from '../db/db.ts';

/** What identifies a customer, and when the row was created. */
export type CustomerIdentity = {
  id: number;
  customerKey: string | null;
  claimedCustomerKey: string | null;
  emailHash: string | null;
  emailMasked: string | null;
  clickedAt: Date | null;
  createdAt: Date;
  erasedAt: Date | null;
};

const COLUMNS = `id, customer_key as "customerKey", claimed_customer_key as "claimedCustomerKey", email_hash as "emailHash",
  email_masked as "emailMasked", clicked_at as "clickedAt", created_at as "createdAt", erased_at as "erasedAt"`;

const IDENTITIES = `select ${COLUMNS} from customers
  where program_id = $1 and (id = $2 or customer_key = (
    select customer_key from customers where program_id = $1 and id = $2))
  order by id`;

/** The customer, and a test customer with the same key. */
export function listIdentities(db: Queryable, programId: number, customerId: number): Promise<CustomerIdentity[]> {
  return db.query<CustomerIdentity>(IDENTITIES, [programId, customerId]);
}

/**
 * The same, locked against everything that refers to them: transactions that are writing about them finish first, and those that come later
 * sees that they were erased.
 */
export function listIdentitiesForUpdate(
  db: Queryable,
  programId: number,
  customerId: number,
): Promise<CustomerIdentity[]> {
  return db.query<CustomerIdentity>(`${IDENTITIES} for update`, [programId, customerId]);
}

/** The id of the program's customer with this key. A real one takes precedence over a test. */
export async function findCustomerByKey(db: Queryable, programId: number, key: string): Promise<number | null> {
  const [row] = await db.query<{ id: number }>(
    'select id from customers where program_id = $1 and customer_key = $2 order by is_test limit 1',
    [programId, key],
  );
  return row?.id ?? null;
}

/** Removes what identifies the customers. The click id goes with the time of the click, which is a part of it. */
export async function updateErased(db: Queryable, ids: number[], now: Date): Promise<void> {
  await db.query(
    `update customers set customer_key = null, claimed_customer_key = null, email_hash = null, email_masked = null,
       email_identity_hash = null, email_source = null, clicked_at = null, sub = null, first_seen_at = null, erased_at = $2
     where id = any ($1::bigint[])`,
    [ids, now],
  );
}

/** Removes keys that web pages claimed, and e-mail addresses, from the other customers of the program. */
export async function deleteIdentityElsewhere(
  db: Queryable,
  programId: number,
  { keys, emailHashes }: { keys: string[]; emailHashes: string[] },
): Promise<void> {
  await db.query(
    `update customers set claimed_customer_key = null where program_id = $1 and claimed_customer_key = any ($2::text[])`,
    [programId, keys],
  );
  await db.query(
    `update customers set email_hash = null, email_masked = null, email_identity_hash = null, email_source = null
     where program_id = $1 and email_hash = any ($2::text[])`,
    [programId, emailHashes],
  );
}
