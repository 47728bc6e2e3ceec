import type { MembershipStatus } from '@svc/contract';
import type { Actor } from '../audit/audit-store.ts';
import type { Queryable } from '../db/db.ts';

/** What changes of a partner need to know. Replies have the row of the list. */
export type Partner = { id: number; name: string; email: string; hasAccount: boolean; createdAt: Date };

export type NewPartner = {
  workspaceId: number;
  programId: number;
  name: string;
  email: string;
  /** The brand's own id of the partner. */
  externalId?: string | undefined;
};

export type InsertedPartner = { id: number; isNewMember: boolean; hasAccount: boolean };

/**
 * Adds a partner to the workspace, or finds the one with this e-mail, and makes them a member of the program. Null when
 * someone joined through the join link with this e-mail: it may not be theirs, and the brand has not approved them. The lock
 * on the program keeps it from being deleted meanwhile. A new member whose external id another one has violates its index.
 */
export async function insertPartner(db: Queryable, partner: NewPartner, now: Date): Promise<InsertedPartner | null> {
  const [row] = await db.query<InsertedPartner>(
    `with partner as (
       insert into partners (advertiser_id, name, email, created_at) values ($1, $3, $4, $5)
       on conflict (advertiser_id, lower(email)) do update set email = excluded.email where not partners.joined_itself
       returning id, user_id
     ), membership as (
       insert into memberships (program_id, partner_id, external_id, created_at)
       select p.id, partner.id, $6, $5 from partner, programs p where p.id = $2 and p.deleted_at is null for key share of p
       on conflict (program_id, partner_id) do nothing
       returning id
     )
     select id, user_id is not null as "hasAccount", exists (select 1 from membership) as "isNewMember" from partner`,
    [partner.workspaceId, partner.programId, partner.name, partner.email, now, partner.externalId ?? null],
  );
  return row ?? null;
}

export type KnownPartner = {
  email: string;
  id: number;
  joinedItself: boolean;
  hasAccount: boolean;
  isMember: boolean;
  isInOtherProgram: boolean;
};

/** The partners of the workspace with these e-mail addresses in lower case, and whether they are in the program, and in others. */
export function listPartnersByEmail(
  db: Queryable,
  { workspaceId, programId }: Pick<NewPartner, 'workspaceId' | 'programId'>,
  emails: string[],
): Promise<KnownPartner[]> {
  return db.query<KnownPartner>(
    `select lower(p.email) as email, p.id, p.joined_itself as "joinedItself", p.user_id is not null as "hasAccount",
       exists (select 1 from memberships m where m.program_id = $2 and m.partner_id = p.id) as "isMember",
       exists (select 1 from memberships m where m.program_id <> $2 and m.partner_id = p.id) as "isInOtherProgram"
     from partners p where p.advertiser_id = $1 and lower(p.email) = any ($3::text[])`,
    [workspaceId, programId, emails],
  );
}

export async function findPartner(db: Queryable, programId: number, partnerId: number): Promise<Partner | null> {
  const [partner] = await db.query<Partner>(
    `select p.id, p.name, p.email, p.user_id is not null as "hasAccount", m.created_at as "createdAt"
     from memberships m join partners p on p.id = m.partner_id
     where m.program_id = $1 and m.partner_id = $2 and not p.is_test`,
    [programId, partnerId],
  );
  return partner ?? null;
}

export type Member = { membershipId: number; name: string; status: MembershipStatus };

/** The membership of a partner in the program; its status stays what it is until the transaction ends. */
export async function findMember(db: Queryable, programId: number, partnerId: number): Promise<Member | null> {
  const [member] = await db.query<Member>(
    `select m.id as "membershipId", p.name, m.status from memberships m join partners p on p.id = m.partner_id
     where m.program_id = $1 and m.partner_id = $2 and not p.is_test for share of m`,
    [programId, partnerId],
  );
  return member ?? null;
}

type Membership = { status: MembershipStatus; externalId: string | null; isEndedByUndo: boolean };

/** A partner's membership in the program, locked, so that changes of it are made one at a time; null when they are no member. */
export async function findMembershipForUpdate(
  db: Queryable,
  programId: number,
  partnerId: number,
): Promise<Membership | null> {
  const [row] = await db.query<Membership>(
    `select status, external_id as "externalId",
       status = 'removed' and ended_by_import_id is not null as "isEndedByUndo" from memberships
     where program_id = $1 and partner_id = $2 for no key update`,
    [programId, partnerId],
  );
  return row ?? null;
}

/** Locks what the brand knows of a partner of the program, also what it knows of them in others. */
export async function lockPartner(db: Queryable, programId: number, partnerId: number): Promise<void> {
  await db.query(
    `select 1 from memberships m join partners p on p.id = m.partner_id
     where m.program_id = $1 and m.partner_id = $2 for no key update of m, p`,
    [programId, partnerId],
  );
}

/** Gives a partner of the program the brand's own id, or takes it away. Two partners with the same one violate its index. */
export async function updateExternalId(
  db: Queryable,
  programId: number,
  partnerId: number,
  externalId: string | null,
): Promise<void> {
  await db.query('update memberships set external_id = $3 where program_id = $1 and partner_id = $2', [
    programId,
    partnerId,
    externalId,
  ]);
}

/** Renames a partner of the program, in the whole workspace. Says whether the name is another one. */
export async function updatePartnerName(
  db: Queryable,
  programId: number,
  partnerId: number,
  name: string,
): Promise<boolean> {
  const rows = await db.query(
    `update partners p set name = $3 from memberships m
     where m.program_id = $1 and m.partner_id = $2 and p.id = m.partner_id and p.name <> $3 returning 1`,
    [programId, partnerId, name],
  );
  return rows.length > 0;
}

/** Whether the actor is a token for one program, and the partner is, or was, in another one. What the programs share is not its to change. */
export async function isSharedBeyond(
  db: Queryable,
  { onlyProgramId }: Pick<Actor, 'onlyProgramId'>,
  partnerId: number,
): Promise<boolean> {
  if (onlyProgramId === undefined) return false;
  const rows = await db.query('select 1 from memberships where partner_id = $2 and program_id <> $1 limit 1', [
    onlyProgramId,
    partnerId,
  ]);
  return rows.length > 0;
}

/** Changes a partner's status in the program. Making them active means that the brand has approved them. */
export async function updateMembershipStatus(
  db: Queryable,
  programId: number,
  partnerId: number,
  status: MembershipStatus,
): Promise<void> {
  await db.query(
    `with known as (
       update partners set joined_itself = false where id = $2 and $3 = 'active' and joined_itself
     )
     update memberships set status = $3 where program_id = $1 and partner_id = $2`,
    [programId, partnerId, status],
  );
}

/** The id of the account's partner in the program; null unless the membership is active. */
export async function findPartnerOfUser(db: Queryable, programId: number, userId: string): Promise<number | null> {
  const [row] = await db.query<{ id: number }>(
    `select p.id from partners p join memberships m on m.partner_id = p.id
     where m.program_id = $1 and p.user_id = $2 and m.status = 'active'`,
    [programId, userId],
  );
  return row?.id ?? null;
}

/** Whether the partner has a portal in the program. */
export async function isActivePartner(db: Queryable, programId: number, partnerId: number): Promise<boolean> {
  const rows = await db.query(
    `select 1 from memberships where program_id = $1 and partner_id = $2 and status = 'active'`,
    [programId, partnerId],
  );
  return rows.length > 0;
}

export type PartnerProgram = {
  programId: number;
  partnerId: number;
  status: MembershipStatus;
  accountChangedAt: Date | null;
  /** Another account has been invited to take the partner over. */
  isChangePending: boolean;
};

/** The programs that the account is or was a partner of. */
export function listProgramsOfPartner(db: Queryable, userId: string, now: Date): Promise<PartnerProgram[]> {
  return db.query<PartnerProgram>(
    `select m.program_id as "programId", m.partner_id as "partnerId", m.status,
       p.account_changed_at as "accountChangedAt", exists (
         select 1 from invitations i
         where i.partner_id = p.id and i.replaces_account and i.accepted_at is null and i.expires_at > $2
       ) as "isChangePending"
     from partners p join memberships m on m.partner_id = p.id
     where p.user_id = $1 order by m.program_id desc`,
    [userId, now],
  );
}
