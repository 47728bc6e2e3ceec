import type { Answer, MembershipStatus } from '@svc/contract';
import type { Queryable } from '../db/db.ts';

/** What the brand sees of a partner besides the lists. */
export type PartnerDetails = {
  answers: Answer[];
  invitedEmail: string | null;
  invitationExpiresAt: Date | null;
  /** Whether a mail server has refused the partner's address. */
  isUndeliverable: boolean;
};

export async function findPartnerDetails(
  db: Queryable,
  programId: number,
  partnerId: number,
): Promise<PartnerDetails | null> {
  const [row] = await db.query<PartnerDetails>(
    `select m.answers, i.email as "invitedEmail", i.expires_at as "invitationExpiresAt",
       exists (select from undeliverable_addresses d where d.address in (lower(p.email), u.email, lower(i.email)))
         as "isUndeliverable"
     from memberships m join partners p on p.id = m.partner_id left join users u on u.id = p.user_id
     left join lateral (
       select email, expires_at from invitations where partner_id = p.id and accepted_at is null order by id desc limit 1
     ) i on true
     where m.program_id = $1 and m.partner_id = $2`,
    [programId, partnerId],
  );
  return row ?? null;
}

export type OwnApplication = {
  programId: number;
  partnerId: number;
  name: string;
  status: MembershipStatus;
  createdAt: Date;
  answers: Answer[];
};

const MAX_APPLICATIONS = 100;

/** The programs that the account is or was a partner of, with its answers on their join pages, newest first. */
export function listOwnApplications(db: Queryable, userId: string): Promise<OwnApplication[]> {
  return db.query<OwnApplication>(
    `select m.program_id as "programId", m.partner_id as "partnerId", g.name, m.status, m.created_at as "createdAt",
       m.answers
     from partners p join memberships m on m.partner_id = p.id join programs g on g.id = m.program_id
     where p.user_id = $1 and g.deleted_at is null
     order by m.created_at desc, m.id desc limit ${MAX_APPLICATIONS}`,
    [userId],
  );
}

export type AcceptedText = { programId: number; partnerId: number; version: number; text: string; acceptedAt: Date };

/** What the account itself has accepted, newest first. */
export function listAcceptedTexts(db: Queryable, userId: string): Promise<AcceptedText[]> {
  return db.query<AcceptedText>(
    `select c.program_id as "programId", c.partner_id as "partnerId", c.version, a.text, c.accepted_at as "acceptedAt"
     from partners p join agreement_acceptances c on c.partner_id = p.id and c.user_id = p.user_id
     join agreements a on a.program_id = c.program_id and a.version = c.version
     where p.user_id = $1 order by c.accepted_at desc, c.version desc limit ${MAX_APPLICATIONS}`,
    [userId],
  );
}

export type AcceptedAgreement = { version: number; acceptedAt: Date };

const MAX_ACCEPTANCES = 50;

/** The versions of the program's agreement that the partner has accepted, with any account, newest first. */
export function listAcceptedAgreements(
  db: Queryable,
  programId: number,
  partnerId: number,
): Promise<AcceptedAgreement[]> {
  return db.query<AcceptedAgreement>(
    `select version, accepted_at as "acceptedAt" from agreement_acceptances
     where program_id = $1 and partner_id = $2 order by accepted_at desc, version desc limit ${MAX_ACCEPTANCES}`,
    [programId, partnerId],
  );
}

export async function insertAcceptedAgreement(
  db: Queryable,
  accepted: { programId: number; partnerId: number; version: number; userId: string },
  now: Date,
): Promise<void> {
  await db.query(
    `insert into agreement_acceptances (program_id, partner_id, version, user_id, accepted_at)
     values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [accepted.programId, accepted.partnerId, accepted.version, accepted.userId, now],
  );
}

/** The programs that the partner is an active member of, each with the version of its agreement, if it has one. */
export type JoinedProgram = { programId: number; name: string; agreementVersion: number | null };

export function listJoinedPrograms(db: Queryable, partnerId: number): Promise<JoinedProgram[]> {
  return db.query<JoinedProgram>(
    `select p.id as "programId", p.name, p.agreement_version as "agreementVersion"
     from memberships m join programs p on p.id = m.program_id
     where m.partner_id = $1 and m.status = 'active' and p.deleted_at is null order by p.id`,
    [partnerId],
  );
}
