import type { Queryable } from '../../db/db.ts';

/** `verify` proves the address that the account has. A change has a link at the old and one at the new address. */
export type AddressPurpose = 'verify' | 'old' | 'new';

export type AddressLink = {
  userId: string;
  purpose: AddressPurpose;
  /** Where it was sent. */
  address: string;
  newAddress: string | null;
  expiresAt: Date;
  usedAt: Date | null;
};

export async function insertAddressLink(
  db: Queryable,
  link: Omit<AddressLink, 'usedAt'> & { tokenHash: string },
  now: Date,
): Promise<void> {
  await db.query(
    `insert into address_links (token_hash, user_id, purpose, address, new_address, expires_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [link.tokenHash, link.userId, link.purpose, link.address, link.newAddress, link.expiresAt, now],
  );
}

export async function findAddressLinkForUpdate(db: Queryable, tokenHash: string): Promise<AddressLink | null> {
  const [link] = await db.query<AddressLink>(
    `select user_id as "userId", purpose, address, new_address as "newAddress", expires_at as "expiresAt", used_at as "usedAt"
     from address_links where token_hash = $1 for update`,
    [tokenHash],
  );
  return link ?? null;
}

export async function updateLinkUsed(db: Queryable, tokenHash: string, now: Date): Promise<void> {
  await db.query('update address_links set used_at = $2 where token_hash = $1', [tokenHash, now]);
}

/** Which links of the change to this address were created, and which of them were used. */
export function listLinksOfChange(
  db: Queryable,
  userId: string,
  newAddress: string,
  now: Date,
): Promise<Pick<AddressLink, 'purpose' | 'usedAt'>[]> {
  return db.query(
    `select purpose, used_at as "usedAt" from address_links
     where user_id = $1 and purpose in ('old', 'new') and new_address = $2 and expires_at > $3`,
    [userId, newAddress, now],
  );
}

/** Ends the links of the account, and what they have confirmed. The rows stay for a while, so that they can be counted. */
export async function updateLinksEnded(
  db: Queryable,
  userId: string,
  purposes: AddressPurpose[],
  now: Date,
): Promise<void> {
  await db.query(
    `update address_links set expires_at = $3
     where user_id = $1 and purpose = any ($2::text[]) and expires_at > $3`,
    [userId, purposes, now],
  );
}

/** How many links were created for the account since then. */
export async function countAddressLinks(db: Queryable, userId: string, since: Date): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*) as count from address_links where user_id = $1 and created_at > $2',
    [userId, since],
  );
  return row?.count ?? 0;
}

export async function deleteExpiredAddressLinks(db: Queryable, before: Date): Promise<void> {
  await db.query('delete from address_links where expires_at < $1', [before]);
}
