import type { Queryable } from '../db/db.ts';

/** Marks an address that a mail server has refused for good. */
export async function insertUndeliverable(db: Queryable, address: string, reason: string, now: Date): Promise<void> {
  await db.query(
    `insert into undeliverable_addresses (address, reason, since) values (lower($1), $2, $3)
     on conflict (address) do update set reason = excluded.reason`,
    [address, reason, now],
  );
}

/** Forgets that an address was refused, after a mail server has accepted a mail to it. */
export async function deleteUndeliverable(db: Queryable, address: string): Promise<void> {
  await db.query('delete from undeliverable_addresses where address = lower($1)', [address]);
}

/** Those of the addresses that a mail server has refused, in lower case. */
export async function findUndeliverable(db: Queryable, addresses: string[]): Promise<Set<string>> {
  if (addresses.length === 0) return new Set();
  const rows = await db.query<{ address: string }>(
    'select address from undeliverable_addresses where address = any ($1::text[])',
    [addresses.map((address) => address.toLowerCase())],
  );
  return new Set(rows.map(({ address }) => address));
}

export async function isUndeliverable(db: Queryable, address: string): Promise<boolean> {
  return (await findUndeliverable(db, [address])).size > 0;
}
