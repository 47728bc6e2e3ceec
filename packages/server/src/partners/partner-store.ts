import type { Queryable } from '../db/db.ts';
import type { MembershipStatus } from './link.ts';

export type Partner = { id: number; name: string; email: string; status: MembershipStatus; createdAt: Date };

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

const SELECT_PARTNER = `
  select p.id, p.name, p.email, m.status, m.created_at as "createdAt"
  from memberships m join partners p on p.id = m.partner_id
  where m.program_id = $1 and not p.is_test`;

export type PartnerFilter = { status?: MembershipStatus; search?: string; beforeId: number | null; limit: number };

export function listPartners(db: Queryable, programId: number, filter: PartnerFilter): Promise<Partner[]> {
  return db.query<Partner>(
    `${SELECT_PARTNER} and ($2::text is null or m.status = $2)
       and ($3::text is null or strpos(lower(p.name || ' ' || p.email), lower($3)) > 0)
       and ($4::bigint is null or p.id < $4)
     order by p.id desc limit $5`,
    [programId, filter.status ?? null, filter.search ?? null, filter.beforeId, filter.limit],
  );
}

export async function findPartner(db: Queryable, programId: number, partnerId: number): Promise<Partner | null> {
  const [partner] = await db.query<Partner>(`${SELECT_PARTNER} and p.id = $2`, [programId, partnerId]);
  return partner ?? null;
}

export async function updateMembershipStatus(
  db: Queryable,
  programId: number,
  partnerId: number,
  status: MembershipStatus,
): Promise<void> {
  await db.query('update memberships set status = $3 where program_id = $1 and partner_id = $2', [
    programId,
    partnerId,
    status,
  ]);
}

/** The partner that the account is in the program, if it is one and still belongs to it. */
export async function findPartnerOfUser(db: Queryable, programId: number, userId: string): Promise<number | null> {
  const [row] = await db.query<{ id: number }>(
    `select p.id from partners p join memberships m on m.partner_id = p.id
     where m.program_id = $1 and p.user_id = $2 and m.status = 'active'`,
    [programId, userId],
  );
  return row?.id ?? null;
}

export function listProgramsOfPartner(db: Queryable, userId: string): Promise<{ programId: number }[]> {
  return db.query<{ programId: number }>(
    `select m.program_id as "programId" from partners p join memberships m on m.partner_id = p.id
     where p.user_id = $1 and m.status = 'active' order by m.program_id desc`,
    [userId],
  );
}
