import type { WorkspaceRole } from '@svc/contract';
import type { Queryable } from '../../db/db.ts';

export type Invitation = {
  id: number;
  workspaceId: number;
  partnerId: number | null;
  role: WorkspaceRole | 'partner';
  email: string;
  /** Whether any account may accept it, instead of only the one with this address. */
  openLink: boolean;
  /** Whether accepting it takes the partner away from their current account. */
  replacesAccount: boolean;
  expiresAt: Date;
};

type NewInvitation = Omit<Invitation, 'id'> & { tokenHash: string; invitedBy: string | null };

const COLUMNS = `id, advertiser_id as "workspaceId", partner_id as "partnerId", role, email, open_link as "openLink",
  replaces_account as "replacesAccount", expires_at as "expiresAt"`;

// An invitation ends with the rights of the user who created it. Admins may invite partners; owners may invite anyone.
const INVITER_MAY = `(i.invited_by is null or exists (
  select 1 from workspace_members m join users u on u.id = m.user_id
  where m.user_id = i.invited_by and m.advertiser_id = i.advertiser_id and u.suspended_at is null
    and (m.role = 'owner' or (m.role = 'member' and i.role = 'partner' and not i.replaces_account))))`;

export async function insertInvitation(db: Queryable, invitation: NewInvitation, now: Date): Promise<Invitation> {
  const [row] = await db.query<Invitation>(
    `insert into invitations
       (advertiser_id, partner_id, role, email, token_hash, expires_at, created_at, open_link, replaces_account, invited_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${COLUMNS}`,
    [
      invitation.workspaceId,
      invitation.partnerId,
      invitation.role,
      invitation.email,
      invitation.tokenHash,
      invitation.expiresAt,
      now,
      invitation.openLink,
      invitation.replacesAccount,
      invitation.invitedBy,
    ],
  );
  return row as Invitation;
}

/** Marks the invitation as accepted, once; null when it is unknown, expired or used, or its inviter may no longer invite. */
export async function updateAccepted(db: Queryable, tokenHash: string, now: Date): Promise<Invitation | null> {
  const [row] = await db.query<Invitation>(
    `update invitations i set accepted_at = $2
     where token_hash = $1 and accepted_at is null and expires_at > $2 and ${INVITER_MAY} returning ${COLUMNS}`,
    [tokenHash, now],
  );
  return row ?? null;
}

export type OpenInvitation = Invitation & { createdAt: Date };

const MAX_LISTED = 200;

/** The workspace's invitations that have not been accepted, without those for partners. */
export function listOpenInvitations(db: Queryable, workspaceId: number): Promise<OpenInvitation[]> {
  return db.query<OpenInvitation>(
    `select ${COLUMNS}, created_at as "createdAt" from invitations
     where advertiser_id = $1 and partner_id is null and accepted_at is null
     order by id desc limit ${MAX_LISTED}`,
    [workspaceId],
  );
}

/** Gives an open invitation to the workspace a new token; null when there is no such invitation. */
export async function updateInvitationToken(
  db: Queryable,
  workspaceId: number,
  invitationId: number,
  token: { tokenHash: string; expiresAt: Date; invitedBy: string },
): Promise<Invitation | null> {
  const [row] = await db.query<Invitation>(
    `update invitations set token_hash = $3, expires_at = $4, invited_by = $5
     where advertiser_id = $1 and id = $2 and partner_id is null and accepted_at is null returning ${COLUMNS}`,
    [workspaceId, invitationId, token.tokenHash, token.expiresAt, token.invitedBy],
  );
  return row ?? null;
}

/** Deletes an open invitation to the workspace and returns it; null when there is no such invitation. */
export async function deleteInvitation(
  db: Queryable,
  workspaceId: number,
  invitationId: number,
): Promise<Invitation | null> {
  const [row] = await db.query<Invitation>(
    `delete from invitations
     where advertiser_id = $1 and id = $2 and partner_id is null and accepted_at is null returning ${COLUMNS}`,
    [workspaceId, invitationId],
  );
  return row ?? null;
}

/** Deletes the open invitations of a partner, apart from one that is kept, and returns how many there were. */
export async function deletePartnerInvitations(
  db: Queryable,
  workspaceId: number,
  partnerId: number,
  keptId: number | null = null,
): Promise<number> {
  const rows = await db.query(
    `delete from invitations where advertiser_id = $1 and partner_id = $2 and accepted_at is null
       and id is distinct from $3 returning id`,
    [workspaceId, partnerId, keptId],
  );
  return rows.length;
}

/** Whom the newest invitation of a partner is for, if it was not accepted. */
export async function findPartnerInvitation(
  db: Queryable,
  workspaceId: number,
  partnerId: number,
): Promise<{ email: string; openLink: boolean } | null> {
  const [found] = await db.query<{ email: string; openLink: boolean }>(
    `select email, open_link as "openLink" from invitations
     where advertiser_id = $1 and partner_id = $2 and accepted_at is null order by id desc limit 1`,
    [workspaceId, partnerId],
  );
  return found ?? null;
}

/** Deletes an open invitation of a partner. */
export async function deletePartnerInvitation(db: Queryable, workspaceId: number, invitationId: number): Promise<void> {
  await db.query(
    'delete from invitations where advertiser_id = $1 and id = $2 and partner_id is not null and accepted_at is null',
    [workspaceId, invitationId],
  );
}

/** Deletes the open invitations that the user created, in any workspace. */
export async function deleteInvitationsBy(db: Queryable, userId: string): Promise<void> {
  await db.query('delete from invitations where invited_by = $1 and accepted_at is null', [userId]);
}

/** Deletes the user's open invitations that someone with this role may not create. */
export async function deleteInvitationsBeyond(db: Queryable, userId: string, role: WorkspaceRole): Promise<void> {
  if (role === 'owner') return;
  if (role !== 'member') return deleteInvitationsBy(db, userId);
  await db.query(
    `delete from invitations
     where invited_by = $1 and accepted_at is null and (role <> 'partner' or replaces_account)`,
    [userId],
  );
}

/** Deletes all open invitations of the workspace. */
export async function deleteOpenInvitations(db: Queryable, workspaceId: number): Promise<void> {
  await db.query('delete from invitations where advertiser_id = $1 and accepted_at is null', [workspaceId]);
}

export async function deleteExpiredInvitations(db: Queryable, before: Date): Promise<number> {
  return (await db.query('delete from invitations where expires_at < $1 returning id', [before])).length;
}

export type InvitationFacts = {
  role: Invitation['role'];
  email: string;
  openLink: boolean;
  workspace: string;
  /** Null for an invitation to the team. */
  partnerId: number | null;
  /** The partner's name, as the brand entered it. */
  partnerName: string | null;
  /** The programs that the partner is invited to. */
  programIds: number[];
  expiresAt: Date;
  acceptedAt: Date | null;
};

export async function findInvitationFacts(db: Queryable, tokenHash: string): Promise<InvitationFacts | null> {
  const [row] = await db.query<InvitationFacts>(
    `select i.role, i.email, i.open_link as "openLink", a.name as workspace, i.expires_at as "expiresAt", i.accepted_at as "acceptedAt",
       i.partner_id as "partnerId", r.name as "partnerName",
       array(select p.id from memberships m join programs p on p.id = m.program_id
             where m.partner_id = i.partner_id and m.status = 'active' and p.deleted_at is null
             order by p.id limit ${MAX_LISTED}) as "programIds"
     from invitations i join advertisers a on a.id = i.advertiser_id left join partners r on r.id = i.partner_id
     where i.token_hash = $1 and (i.accepted_at is not null or ${INVITER_MAY})`,
    [tokenHash],
  );
  return row ?? null;
}
