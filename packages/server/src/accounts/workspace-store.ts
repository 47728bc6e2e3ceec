import type { Queryable } from '../db/db.ts';

export type WorkspaceRole = 'owner' | 'member';
export type Membership = { advertiserId: number; role: WorkspaceRole };

export async function findMembership(db: Queryable, userId: string): Promise<Membership | null> {
  const [membership] = await db.query<Membership>(
    'select advertiser_id as "advertiserId", role from workspace_members where user_id = $1',
    [userId],
  );
  return membership ?? null;
}

/** Puts the account into the workspace, leaving the one it may have been in. */
export async function insertMember(
  db: Queryable,
  member: { userId: string; advertiserId: number; role: WorkspaceRole },
  now: Date,
): Promise<void> {
  await db.query(
    `insert into workspace_members (user_id, advertiser_id, role, created_at) values ($1, $2, $3, $4)
     on conflict (user_id) do update set advertiser_id = excluded.advertiser_id, role = excluded.role`,
    [member.userId, member.advertiserId, member.role, now],
  );
}

export type Member = { userId: string; name: string; email: string; role: WorkspaceRole; createdAt: Date };

export function listMembers(db: Queryable, advertiserId: number): Promise<Member[]> {
  return db.query<Member>(
    `select u.id as "userId", u.name, u.email, m.role, m.created_at as "createdAt"
     from workspace_members m join users u on u.id = m.user_id
     where m.advertiser_id = $1 order by m.created_at, u.id`,
    [advertiserId],
  );
}
