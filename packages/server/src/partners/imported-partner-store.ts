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
 * Adds partners to the workspace, or finds those with their e-mail addresses, and makes them members of the program, also again
 * if the last to end their membership was an undo. Nobody who joined through the join link is made a member: the address may not be
 * theirs. The lock on the program keeps it from being deleted meanwhile.
 */
export async function insertMembers(
  db: Queryable,
  { workspaceId, programId }: { workspaceId: number; programId: number },
  partners: { name: string; email: string }[],
  now: Date,
): Promise<ImportedMember[]> {
  const [names, emails] = [partners.map(({ name }) => name), partners.map(({ email }) => email)];
  await db.query('select 1 from programs where id = $1 and deleted_at is null for key share', [programId]);
  await db.query(
    `insert into partners (advertiser_id, name, email, created_at)
     select $1, i.name, i.email, $4 from unnest($2::text[], $3::text[]) as i(name, email)
     order by lower(i.email) on conflict (advertiser_id, lower(email)) do nothing`,
    [workspaceId, names, emails, now],
  );
  // One by one, each by its index: without statistics, a join or a list reads all partners of the workspace.
  const found = `unnest($2::text[]) sent(email) cross join lateral (
    select * from partners where advertiser_id = $1 and lower(email) = lower(sent.email) limit 1) p`;
  const added = await db.query<{ partnerId: number }>(
    `insert into memberships (program_id, partner_id, created_at)
     select o.id, p.id, $4 from ${found} join programs o on o.id = $3 and o.deleted_at is null
     where not p.joined_itself order by 2
     on conflict (program_id, partner_id) do update set status = 'active', created_at = excluded.created_at
       where memberships.status = 'removed' and memberships.ended_by_import_id is not null
     returning partner_id as "partnerId"`,
    [workspaceId, emails, programId, now],
  );
  const members = await db.query<Omit<ImportedMember, 'isNewMember' | 'position'> & { email: string }>(
    `select p.email, p.id, p.name, p.joined_itself as "joinedItself", p.user_id is not null as "hasAccount",
       m.id as "membershipId", m.status
     from ${found}
     left join lateral (select id, status from memberships where program_id = $3 and partner_id = p.id limit 1) m on true`,
    [workspaceId, emails, programId],
  );
  const newIds = new Set(added.map(({ partnerId }) => partnerId));
  const byEmail = new Map(members.map(({ email, ...member }) => [email.toLowerCase(), member]));
  return emails.flatMap((email, position) => {
    const member = byEmail.get(email.toLowerCase());
    return member ? [{ ...member, position, isNewMember: newIds.has(member.id) }] : [];
  });
}

/** Whether the audit log says that a person changed it. */
export const isAudited = (subject: string, id: string) => `exists (
  select 1 from audit_events e where e.subject = '${subject}' and e.subject_id = (${id})::text)`;

/**
 * Whether the table has something of the member `k` in the program. It is looked for by the partner, who has little, and only then
 * by the program: without statistics, the database may go through everything that the program has, for each of them.
 */
const has = (table: string, partner = 'partner_id') => `exists (
  select 1 from (select program_id from ${table} where ${partner} = k.partner_id offset 0) t where t.program_id = $1)`;

/** Whether the books have entries about the member `k`. They are never deleted, so neither is the member. */
const BOOKED = `exists (
  select 1 from book_entries b where b.program_id = k.program_id and b.partner_id = k.partner_id)`;

export type Judged = { id: number; kept: KeptReason | null };

/**
 * Locks members of the program, and says why each has to stay: null for those to whom nothing has happened since an import, and
 * `books` for those about whom only the books have entries. An account that they had before counts for nothing.
 */
export function judgeMembers(
  db: Queryable,
  programId: number,
  members: { id: number; hadAccount: boolean }[],
): Promise<Judged[]> {
  return db.query<Judged>(
    `with locked as materialized (
       select m.*, p.user_id is not null and m.partner_id <> all ($3::bigint[]) as has_new_account
       from unnest($2::bigint[]) sent(id)
       cross join lateral (select * from memberships where program_id = $1 and partner_id = sent.id for update) m
       cross join lateral (select user_id from partners where id = sent.id for update) p)
     select partner_id as id, case
       when ${has('payouts')}
         or exists (select 1 from payout_run_omissions o where o.partner_id = k.partner_id) then 'payouts'
       when ${has('commissions')} then 'commissions'
       when ${has('sales')} then 'sales'
       when ${has('customers')}
         or ${has('attributions a join customers c on c.id = a.customer_id', 'a.partner_id')} then 'customers'
       when has_new_account then 'account'
       when exists (select 1 from invitations i where i.partner_id = k.partner_id) then 'invited'
       when status <> 'active' or group_id is not null or group_by <> 'tier' or recruiter_id is not null
         or ${has('memberships', 'recruiter_id')}
         or exists (select 1 from partner_notes n where n.program_id = $1 and n.partner_id = k.partner_id)
         or exists (select 1 from postbacks b where b.program_id = $1 and b.partner_id = k.partner_id)
         or exists (select 1 from audit_events e where e.subject = 'partner' and e.subject_id = k.partner_id::text
           and (e.program_id = $1 or e.program_id is null) and e.created_at >= k.created_at) then 'changed'
       when ${has('links')}
         or ${has('coupons')}
         or ${has('opening_balances')} then 'in_use'
       when ${BOOKED} then 'books'
       end as kept
     from locked k`,
    [
      programId,
      members.map(({ id }) => id).toSorted((one, other) => one - other),
      members.filter(({ hadAccount }) => hadAccount).map(({ id }) => id),
    ],
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
    `delete from partners p using (
       select found.id from unnest($2::bigint[]) sent(id) cross join lateral (
         select p.id from partners p join programs o on o.id = $1 and o.advertiser_id = p.advertiser_id
         where p.id = sent.id limit 1) found) gone
     where p.id = gone.id and p.user_id is null
       and not exists (select 1 from memberships m where m.partner_id = p.id)
       and not exists (select 1 from invitations i where i.partner_id = p.id)`,
    [programId, partnerIds],
  );
}

/** Ends, with the undo of an import, the membership of members whom the transaction has judged and who cannot be removed. */
export async function endMembers(
  db: Queryable,
  programId: number,
  importId: number,
  partnerIds: number[],
): Promise<void> {
  if (partnerIds.length === 0) return;
  await db.query('delete from partner_placements where program_id = $1 and partner_id = any ($2::bigint[])', [
    programId,
    partnerIds,
  ]);
  await db.query(
    `update memberships set status = 'removed', ended_by_import_id = $3
     where program_id = $1 and partner_id = any ($2::bigint[])`,
    [programId, partnerIds, importId],
  );
}
