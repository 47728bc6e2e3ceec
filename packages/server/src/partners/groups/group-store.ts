import type { GroupTier } from '@svc/contract';
import type { Queryable } from '../../db/db.ts';

export type Group = {
  id: number;
  name: string;
  isDefault: boolean;
  tier: GroupTier | null;
  /** How many partners are in it, whatever their status is. */
  partners: number;
};

// A partner who was never moved has no group of their own, and is in the default one.
const SELECT_GROUPS = `
  select g.id, g.name, g.is_default as "isDefault", case when g.tier_of is not null then
      json_build_object('of', g.tier_of, 'in', g.tier_in, 'at_least', g.tier_at_least) end as tier,
    (select count(*) from memberships m join partners p on p.id = m.partner_id
     where m.program_id = g.program_id and not p.is_test
       and (m.group_id = g.id or g.is_default and m.group_id is null)) as partners
  from partner_groups g`;

/** The default group first, then the others by name. */
export function listGroups(db: Queryable, programId: number): Promise<Group[]> {
  return db.query<Group>(
    `${SELECT_GROUPS} where g.program_id = $1 order by g.is_default desc, lower(g.name) collate "C", g.id`,
    [programId],
  );
}

export async function findGroup(db: Queryable, programId: number, groupId: number): Promise<Group | null> {
  const [group] = await db.query<Group>(`${SELECT_GROUPS} where g.program_id = $1 and g.id = $2`, [programId, groupId]);
  return group ?? null;
}

const LOCK_GROUP = 'select 1 from partner_groups where program_id = $1 and id = $2 for';

/** Keeps a group from being deleted, or others from moving partners into it. Returns whether the program has it. */
export async function lockGroup(
  db: Queryable,
  programId: number,
  groupId: number,
  mode: 'key share' | 'update',
): Promise<boolean> {
  const rows = await db.query(`${LOCK_GROUP} ${mode}`, [programId, groupId]);
  return rows.length > 0;
}

export type NewGroup = { name: string; tier: GroupTier | null };

export async function insertGroup(
  db: Queryable,
  programId: number,
  { name, tier }: NewGroup,
  now: Date,
): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    `insert into partner_groups (program_id, name, tier_of, tier_in, tier_at_least, created_at)
     values ($1, $2, $3, $4, $5, $6) returning id`,
    [programId, name, tier?.of ?? null, tier?.in ?? null, tier?.at_least ?? null, now],
  );
  return row!.id;
}

export async function updateGroup(db: Queryable, groupId: number, { name, tier }: NewGroup): Promise<void> {
  await db.query(`update partner_groups set name = $2, tier_of = $3, tier_in = $4, tier_at_least = $5 where id = $1`, [
    groupId,
    name,
    tier?.of ?? null,
    tier?.in ?? null,
    tier?.at_least ?? null,
  ]);
}

export async function deleteGroup(db: Queryable, groupId: number): Promise<void> {
  await db.query('delete from partner_groups where id = $1', [groupId]);
}

/** Whether there are creatives for the group only. */
export async function hasCreatives(db: Queryable, groupId: number): Promise<boolean> {
  return (await db.query('select 1 from creatives where group_id = $1 limit 1', [groupId])).length > 0;
}

/** The rule of the current or a scheduled version of the terms that is for the group, if there is one. */
export async function findRuleForGroup(
  db: Queryable,
  programId: number,
  groupId: number,
): Promise<{ version: number; rule: number } | null> {
  const [row] = await db.query<{ version: number; rule: number }>(
    `select v.version, r.number as rule
     from programs p join terms_versions v on v.program_id = p.id and v.version >= p.terms_version
     cross join lateral jsonb_array_elements(v.rules) with ordinality as r(rule, number)
     where p.id = $1 and r.rule -> 'for' -> 'group_id' = to_jsonb($2::bigint) order by v.version, r.number limit 1`,
    [programId, groupId],
  );
  return row ?? null;
}
