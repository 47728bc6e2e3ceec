import type { Queryable } from '../db/db.ts';

/** Adds a partner to the advertiser, or finds the one with this e-mail, and makes them a member of the program. */
export async function insertPartner(
  db: Queryable,
  partner: { advertiserId: number; programId: number; name: string; email: string },
  now: Date,
): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    `with partner as (
       insert into partners (advertiser_id, name, email, created_at) values ($1, $3, $4, $5)
       on conflict (advertiser_id, lower(email)) do update set email = excluded.email
       returning id
     ), membership as (
       insert into memberships (program_id, partner_id, created_at) select $2, id, $5 from partner
       on conflict (program_id, partner_id) do nothing
     )
     select id from partner`,
    [partner.advertiserId, partner.programId, partner.name, partner.email, now],
  );
  return (row as { id: number }).id;
}
