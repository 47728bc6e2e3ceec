import type { KeptReason, MembershipStatus } from '@svc/contract';
import type { Queryable } from '../db/db.ts';

export type ImportedMember = {
  /** The position in the list of partners. */
  position: number;
  id: number;
  name: string;
  joinedItself: boolean;
  hasAccount: boolean;
  isNewMember: boolean;
  membershipId: number;
  status: MembershipStatus;
};

/**
 * Adds partners to the workspace, or finds those with their e-mail addresses, and makes them members of the program. Nobody who
 * joined through the join link is made a member: the address may not be theirs. The lock on the program keeps it from being
 * deleted meanwhile.
 */
export async function insertMembers(
  db: Queryable,
  { workspaceId, programId }: { workspaceId: number; programId: number },
  partners: { name: string; email: string }[],
  now: Date,
): Promise<ImportedMember[]> {
  const rows = JSON.stringify(partners.map(({ name, email }, position) => ({ position, name, email })));
  await db.query('select 1 from programs where id = $1 and deleted_at is null for key share', [programId]);
  await db.query(
    `insert into partners (advertiser_id, name, email, created_at)
     select $1, i.name, i.email, $3 from json_to_recordset($2::json) as i(position int, name text, email text)
     order by lower(i.email) on conflict (advertiser_id, lower(email)) do nothing`,
    [workspaceId, rows, now],
  );
  const found = `from json_to_recordset($2::json) as i(position int, name text, email text)
    join partners p on p.advertiser_id = $1 and lower(p.email) = lower(i.email)`;
  const added = await db.query<{ partnerId: number }>(
    `insert into memberships (program_id, partner_id, created_at)
     select distinct o.id, p.id, $4::timestamptz ${found} join programs o on o.id = $3 and o.deleted_at is null
     where not p.joined_itself order by 2
     on conflict (program_id, partner_id) do nothing returning partner_id as "partnerId"`,
    [workspaceId, rows, programId, now],
  );
  const members = await db.query<Omit<ImportedMember, 'isNewMember'>>(
    `select i.position, p.id, p.name, p.joined_itself as "joinedItself", p.user_id is not null as "hasAccount",
       m.id as "membershipId", m.status
     ${found} left join memberships m on m.program_id = $3 and m.partner_id = p.id`,
    [workspaceId, rows, programId],
  );
  const newIds = new Set(added.map(({ partnerId }) => partnerId));
  return members.map((member) => ({ ...member, isNewMember: newIds.has(member.id) }));
}

/** Whether the audit log says that somebody changed it. */
export const isAudited = (subject: string, id: string) => `exists (
  select 1 from audit_events e where e.subject = '${subject}' and e.subject_id = (${id})::text)`;

export type Judged = { id: number; kept: KeptReason | null };

/**
 * Locks members of the program, and says why each has to stay: null for those to whom nothing has happened since an import. An
 * account that they had before counts for nothing.
 */
export function judgeMembers(
  db: Queryable,
  programId: number,
  members: { id: number; hadAccount: boolean }[],
): Promise<Judged[]> {
  return db.query<Judged>(
    `with locked as materialized (
       select m.*, p.user_id is not null and not i.had_account as has_new_account
       from json_to_recordset($2::json) as i(id bigint, had_account boolean)
       join memberships m on m.program_id = $1 and m.partner_id = i.id join partners p on p.id = i.id
       order by m.partner_id for update of m, p)
     select partner_id as id, case
       when exists (select 1 from payouts o where o.program_id = $1 and o.partner_id = k.partner_id)
         or exists (select 1 from payout_run_omissions o where o.partner_id = k.partner_id) then 'payouts'
       when exists (select 1 from commissions c where c.program_id = $1 and c.partner_id = k.partner_id) then 'commissions'
       when exists (select 1 from sales s where s.program_id = $1 and s.partner_id = k.partner_id) then 'sales'
       when exists (select 1 from book_entries b where b.program_id = $1 and b.partner_id = k.partner_id) then 'books'
       when exists (select 1 from customers c where c.program_id = $1 and c.partner_id = k.partner_id)
         or exists (select 1 from attributions a join customers c on c.id = a.customer_id
           where a.partner_id = k.partner_id and c.program_id = $1) then 'customers'
       when has_new_account then 'account'
       when exists (select 1 from invitations i where i.partner_id = k.partner_id) then 'invited'
       when status <> 'active' or group_id is not null or group_by <> 'tier' or recruiter_id is not null
         or exists (select 1 from memberships r where r.program_id = $1 and r.recruiter_id = k.partner_id)
         or exists (select 1 from partner_notes n where n.program_id = $1 and n.partner_id = k.partner_id)
         or exists (select 1 from postbacks b where b.program_id = $1 and b.partner_id = k.partner_id)
         or exists (select 1 from audit_events e where e.subject = 'partner' and e.subject_id = k.partner_id::text
           and (e.program_id = $1 or e.program_id is null) and e.created_at >= k.created_at) then 'changed'
       when exists (select 1 from links l where l.program_id = $1 and l.partner_id = k.partner_id)
         or exists (select 1 from coupons u where u.program_id = $1 and u.partner_id = k.partner_id)
         or exists (select 1 from opening_balances b where b.program_id = $1 and b.partner_id = k.partner_id) then 'in_use'
       end as kept
     from locked k`,
    [programId, JSON.stringify(members.map(({ id, hadAccount }) => ({ id, had_account: hadAccount })))],
  );
}

/** Removes members whom the transaction has judged, and partners who are in no program then and have no account. */
export async function deleteMembers(db: Queryable, programId: number, partnerIds: number[]): Promise<void> {
  if (partnerIds.length === 0) return;
  await db.query('delete from partner_placements where program_id = $1 and partner_id = any ($2::bigint[])', [
    programId,
    partnerIds,
  ]);
  await db.query('delete from memberships where program_id = $1 and partner_id = any ($2::bigint[])', [
    programId,
    partnerIds,
  ]);
  await db.query(
    `delete from partners p using programs o
     where o.id = $1 and p.advertiser_id = o.advertiser_id and p.id = any ($2::bigint[]) and p.user_id is null
       and not exists (select 1 from memberships m where m.partner_id = p.id)
       and not exists (select 1 from invitations i where i.partner_id = p.id)`,
    [programId, partnerIds],
  );
}
