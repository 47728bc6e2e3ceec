import type { Queryable } from '../db/db.ts';

export type Invitation = {
  id: number;
  advertiserId: number;
  partnerId: number | null;
  role: 'owner' | 'member' | 'partner';
  email: string;
  expiresAt: Date;
};

type NewInvitation = Omit<Invitation, 'id'> & { tokenHash: string };

const COLUMNS = `id, advertiser_id as "advertiserId", partner_id as "partnerId", role, email,
  expires_at as "expiresAt"`;

export async function insertInvitation(db: Queryable, invitation: NewInvitation, now: Date): Promise<Invitation> {
  const [row] = await db.query<Invitation>(
    `insert into invitations (advertiser_id, partner_id, role, email, token_hash, expires_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7) returning ${COLUMNS}`,
    [
      invitation.advertiserId,
      invitation.partnerId,
      invitation.role,
      invitation.email,
      invitation.tokenHash,
      invitation.expiresAt,
      now,
    ],
  );
  return row as Invitation;
}

/** Takes the invitation for the one who accepts it first; null when it is unknown, old or used. */
export async function updateAccepted(db: Queryable, tokenHash: string, now: Date): Promise<Invitation | null> {
  const [row] = await db.query<Invitation>(
    `update invitations set accepted_at = $2
     where token_hash = $1 and accepted_at is null and expires_at > $2 returning ${COLUMNS}`,
    [tokenHash, now],
  );
  return row ?? null;
}
