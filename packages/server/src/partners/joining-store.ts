import type { MembershipStatus } from '@svc/contract';
import type { Queryable } from '../db/db.ts';

export type JoinableProgram = {
  id: number;
  workspaceId: number;
  name: string;
  workspace: string;
  needsApproval: boolean;
};

/** The program of the join link; null when the link is unknown or the program is closed. */
export async function findJoinableProgram(db: Queryable, joinToken: string): Promise<JoinableProgram | null> {
  const [row] = await db.query<JoinableProgram>(
    `select p.id, p.advertiser_id as "workspaceId", p.name, a.name as workspace,
       p.joining = 'on_approval' as "needsApproval"
     from programs p join advertisers a on a.id = p.advertiser_id
     where p.join_token = $1 and p.joining <> 'closed'`,
    [joinToken],
  );
  return row ?? null;
}

/** Finds or adds the account's partner in the workspace; null when its e-mail address is taken or reserved for tests. */
export async function insertJoiningPartner(
  db: Queryable,
  workspaceId: number,
  user: { id: string; name: string; email: string },
  now: Date,
): Promise<number | null> {
  await db.query(
    `insert into partners (advertiser_id, name, email, user_id, joined_itself, created_at)
     select $1, $2, $3, $4, true, $5 where lower($3) not like '%@svc.invalid'
     on conflict do nothing`,
    [workspaceId, user.name, user.email, user.id, now],
  );
  const [row] = await db.query<{ id: number }>('select id from partners where advertiser_id = $1 and user_id = $2', [
    workspaceId,
    user.id,
  ]);
  return row?.id ?? null;
}

/** Makes the partner a member unless they already are or were one; returns their status. */
export async function insertMembership(
  db: Queryable,
  membership: { programId: number; partnerId: number; status: 'applied' | 'active' },
  now: Date,
): Promise<MembershipStatus> {
  await db.query(
    `insert into memberships (program_id, partner_id, status, created_at) values ($1, $2, $3, $4)
     on conflict (program_id, partner_id) do nothing`,
    [membership.programId, membership.partnerId, membership.status, now],
  );
  const [row] = await db.query<{ status: MembershipStatus }>(
    'select status from memberships where program_id = $1 and partner_id = $2',
    [membership.programId, membership.partnerId],
  );
  return (row as { status: MembershipStatus }).status;
}
