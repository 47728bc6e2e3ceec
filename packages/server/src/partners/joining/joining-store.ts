import type { Answer } from '@svc/contract';
import type { Queryable } from '../../db/db.ts';

/** The program of a join link, and the name of its brand. */
export type FoundProgram = { programId: number; workspace: string };

/** The program of the join link; null when the link is unknown or the program is closed. */
export async function findProgramByJoinToken(db: Queryable, joinToken: string): Promise<FoundProgram | null> {
  const [row] = await db.query<FoundProgram>(
    `select p.id as "programId", a.name as workspace
     from programs p join advertisers a on a.id = p.advertiser_id
     where p.join_token = $1 and p.joining <> 'closed' and p.status <> 'archived' and p.deleted_at is null`,
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

export type NewMembership = { programId: number; partnerId: number; status: 'applied' | 'active'; answers: Answer[] };

/**
 * Makes the partner a member unless they already are or were one; false if so, or if the program is being deleted. A membership that
 * only the undo of an import has ended counts as none.
 */
export async function insertMembership(db: Queryable, membership: NewMembership, now: Date): Promise<boolean> {
  const rows = await db.query(
    `insert into memberships (program_id, partner_id, status, created_at, answers)
     select p.id, $2, $3, $4, $5::jsonb from programs p where p.id = $1 and p.deleted_at is null for key share of p
     on conflict (program_id, partner_id) do update
       set status = excluded.status, created_at = excluded.created_at, answers = excluded.answers
       where memberships.status = 'removed' and memberships.ended_by_import_id is not null
     returning id`,
    [membership.programId, membership.partnerId, membership.status, now, JSON.stringify(membership.answers)],
  );
  return rows.length > 0;
}
