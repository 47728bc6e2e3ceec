import type { Queryable } from '../db/db.ts';

/** What a deleted partner is called. */
export const DELETED_PARTNER = 'Deleted partner';
/** What the address of a deleted partner looks like when it is masked. */
export const MASKED_DELETED_ADDRESS = 'd***@erased.invalid';

/**
 * Removes a person from the partners of their account and, where the address is proven to be theirs, from partners with this
 * address that have no account. They leave their programs; what they earned stays. Returns the ids of the partners.
 */
export async function updatePartnersErased(
  db: Queryable,
  { userId, email }: { userId: string; email: string | null },
): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `update partners set name = $3, email = 'deleted-' || id || '@erased.invalid', user_id = null
     where user_id = $1 or (user_id is null and lower(email) = $2) returning id`,
    [userId, email, DELETED_PARTNER],
  );
  const ids = rows.map(({ id }) => id);
  await db.query(
    `update memberships set status = 'removed', answers = '[]', external_id = null where partner_id = any ($1::bigint[])`,
    [ids],
  );
  await db.query('update links set label = null where partner_id = any ($1::bigint[]) and label is not null', [ids]);
  await db.query('delete from partner_notes where partner_id = any ($1::bigint[])', [ids]);
  return ids;
}

/** The programs that these partners are or were in. */
export async function listProgramsOfPartners(db: Queryable, partnerIds: number[]): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    'select distinct program_id as id from memberships where partner_id = any ($1::bigint[]) order by 1',
    [partnerIds],
  );
  return rows.map(({ id }) => id);
}
