import type { WorkspaceRole } from '@svc/contract';
import type { Queryable } from '../../db/db.ts';

/** The workspace an account belongs to, and its role there. */
export type WorkspaceMember = { workspaceId: number; role: WorkspaceRole };

export async function insertWorkspace(db: Queryable, name: string, now: Date): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    'insert into advertisers (name, created_at) values ($1, $2) returning id',
    [name, now],
  );
  return (row as { id: number }).id;
}

export type CurrentMember = WorkspaceMember & {
  /** The workspace requires a second factor, and the account has none. */
  needsSecondFactor: boolean;
};

/** Accounts without a password sign in through the outside issuer, which has factors of its own. */
export async function findWorkspaceMember(db: Queryable, userId: string): Promise<CurrentMember | null> {
  const [member] = await db.query<CurrentMember>(
    `select m.advertiser_id as "workspaceId", m.role,
       a.second_factor_required and not u.two_factor_enabled and exists (
         select 1 from sign_ins s where s.user_id = u.id and s.provider_id = 'credential') as "needsSecondFactor"
     from workspace_members m join advertisers a on a.id = m.advertiser_id join users u on u.id = m.user_id
     where m.user_id = $1`,
    [userId],
  );
  return member ?? null;
}

/** The role of an account in the workspace, which stays what it is until the transaction ends; null without one, or if suspended. */
export async function findRoleForShare(
  db: Queryable,
  workspaceId: number,
  userId: string,
): Promise<WorkspaceRole | null> {
  const [member] = await db.query<{ role: WorkspaceRole }>(
    `select m.role from workspace_members m join users u on u.id = m.user_id
     where m.advertiser_id = $1 and m.user_id = $2 and u.suspended_at is null for share of m`,
    [workspaceId, userId],
  );
  return member?.role ?? null;
}

export async function findWorkspaceName(db: Queryable, workspaceId: number): Promise<string | null> {
  const [row] = await db.query<{ name: string }>('select name from advertisers where id = $1', [workspaceId]);
  return row?.name ?? null;
}

/** Adds the account to the workspace; it leaves the workspace it was in. */
export async function insertMember(
  db: Queryable,
  member: { userId: string; workspaceId: number; role: WorkspaceRole },
  now: Date,
): Promise<void> {
  await db.query(
    `insert into workspace_members (user_id, advertiser_id, role, created_at) values ($1, $2, $3, $4)
     on conflict (user_id) do update set advertiser_id = excluded.advertiser_id, role = excluded.role`,
    [member.userId, member.workspaceId, member.role, now],
  );
}

export type Workspace = { id: number; name: string; secondFactorRequired: boolean };

const WORKSPACE_COLUMNS = 'id, name, second_factor_required as "secondFactorRequired"';

export async function findWorkspace(db: Queryable, workspaceId: number): Promise<Workspace | null> {
  const [row] = await db.query<Workspace>(`select ${WORKSPACE_COLUMNS} from advertisers where id = $1`, [workspaceId]);
  return row ?? null;
}

/** The workspace, locked until the transaction ends. */
export async function findWorkspaceForUpdate(db: Queryable, workspaceId: number): Promise<Workspace | null> {
  const [row] = await db.query<Workspace>(`select ${WORKSPACE_COLUMNS} from advertisers where id = $1 for update`, [
    workspaceId,
  ]);
  return row ?? null;
}

export async function updateWorkspace(db: Queryable, { id, name, secondFactorRequired }: Workspace): Promise<void> {
  await db.query('update advertisers set name = $2, second_factor_required = $3 where id = $1', [
    id,
    name,
    secondFactorRequired,
  ]);
}

export type Member = {
  userId: string;
  name: string;
  email: string;
  /** Whether a mail server has refused the address. */
  isUndeliverable: boolean;
  role: WorkspaceRole;
  hasSecondFactor: boolean;
  createdAt: Date;
};

export function listMembers(db: Queryable, workspaceId: number): Promise<Member[]> {
  return db.query<Member>(
    `select u.id as "userId", u.name, u.email, d.address is not null as "isUndeliverable", m.role,
       u.two_factor_enabled as "hasSecondFactor", m.created_at as "createdAt"
     from workspace_members m join users u on u.id = m.user_id
     left join undeliverable_addresses d on d.address = u.email
     where m.advertiser_id = $1 order by m.created_at, u.id`,
    [workspaceId],
  );
}

export type LockedMember = WorkspaceMember & {
  isLastOwner: boolean;
  /** The workspace has programs or other members. */
  isInUse: boolean;
  /** The workspace has other members. */
  hasOthers: boolean;
};

/** The account's role in its workspace. The workspace is locked, so changes to its owners happen one at a time. */
export async function findMemberForUpdate(db: Queryable, userId: string): Promise<LockedMember | null> {
  const [workspace] = await db.query<{ id: number }>(
    `select a.id from workspace_members m join advertisers a on a.id = m.advertiser_id where m.user_id = $1
     for update of a`,
    [userId],
  );
  if (!workspace) return null;
  // Read only once the workspace is locked: the owners may have changed while waiting for the lock.
  const [member] = await db.query<LockedMember>(
    `select m.advertiser_id as "workspaceId", m.role,
       m.role = 'owner' and not exists (
         select 1 from workspace_members o
         where o.advertiser_id = m.advertiser_id and o.role = 'owner' and o.user_id <> m.user_id) as "isLastOwner",
       exists (select 1 from programs p where p.advertiser_id = m.advertiser_id) or exists (
         select 1 from workspace_members o
         where o.advertiser_id = m.advertiser_id and o.user_id <> m.user_id) as "isInUse",
       exists (
         select 1 from workspace_members o
         where o.advertiser_id = m.advertiser_id and o.user_id <> m.user_id) as "hasOthers"
     from workspace_members m where m.user_id = $1 and m.advertiser_id = $2`,
    [userId, workspace.id],
  );
  return member ?? null;
}

export async function updateMemberRole(db: Queryable, userId: string, role: WorkspaceRole): Promise<void> {
  await db.query('update workspace_members set role = $2 where user_id = $1', [userId, role]);
}

export async function deleteMember(db: Queryable, userId: string): Promise<void> {
  await db.query('delete from workspace_members where user_id = $1', [userId]);
}
