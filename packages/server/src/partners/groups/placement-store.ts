import type { GroupSource } from '@svc/contract';
import type { Queryable } from '../../db/db.ts';

/** Where a partner stands in a program: in which group, by whom placed there, and by whom recruited. */
export type Placement = {
  /** Null for the default group. */
  groupId: number | null;
  groupBy: GroupSource;
  recruiterId: number | null;
};

/** The placement of a partner whose membership the transaction has locked. */
export async function findPlacement(db: Queryable, programId: number, partnerId: number): Promise<Placement | null> {
  const [row] = await db.query<Placement>(
    `select group_id as "groupId", group_by as "groupBy", recruiter_id as "recruiterId"
     from memberships where program_id = $1 and partner_id = $2`,
    [programId, partnerId],
  );
  return row ?? null;
}

export type PlacedPartner = Placement & {
  partnerId: number;
  /** The day for which tiers placed the partner, and what they had counted until then. */
  tierDay?: string;
  tierCounted?: string;
};

/** Places partners, and keeps since when, so that late payments find where they stood. */
export async function updatePlacements(
  db: Queryable,
  programId: number,
  placed: PlacedPartner[],
  since: Date,
): Promise<void> {
  if (placed.length === 0) return;
  const rows = placed.map((partner) => ({
    partner_id: partner.partnerId,
    group_id: partner.groupId,
    group_by: partner.groupBy,
    recruiter_id: partner.recruiterId,
    tier_day: partner.tierDay,
    tier_counted: partner.tierCounted,
  }));
  await db.query(
    `with placed as (
       select * from json_to_recordset($2::json) as i(
         partner_id bigint, group_id bigint, group_by text, recruiter_id bigint, tier_day date, tier_counted bigint)
     ), kept as (
       insert into partner_placements (program_id, partner_id, since, group_id, recruiter_id, tier_day, tier_counted)
       select $1, partner_id, $3, group_id, recruiter_id, tier_day, tier_counted from placed order by partner_id
     )
     update memberships m set group_id = i.group_id, group_by = i.group_by, recruiter_id = i.recruiter_id
     from placed i where m.program_id = $1 and m.partner_id = i.partner_id`,
    [programId, JSON.stringify(rows), since],
  );
}

/** A move to another group: by the tiers, with the day and what they had counted, or by a person. */
export type GroupMove = { at: Date; group: string; tier: { day: string; counted: number } | null };

/** The last moves of a partner between groups, newest first. Who recruited them may change without a move. */
export function listMoves(db: Queryable, programId: number, partnerId: number, limit: number): Promise<GroupMove[]> {
  return db.query<GroupMove>(
    `select l.since as at, g.name as "group", case when l.tier_day is not null then
       json_build_object('day', to_char(l.tier_day, 'YYYY-MM-DD'), 'counted', l.tier_counted) end as tier
     from (
       select *, lag(group_id) over (order by since, id) as before_id from partner_placements
       where program_id = $1 and partner_id = $2) l
     join partner_groups g on g.program_id = $1 and (g.id = l.group_id or l.group_id is null and g.is_default)
     where l.group_id is distinct from l.before_id
     order by l.since desc, l.id desc limit $3`,
    [programId, partnerId, limit],
  );
}

/** Whether the partner is a member of the program, whatever their status is. */
export async function hasMember(db: Queryable, programId: number, partnerId: number): Promise<boolean> {
  const rows = await db.query(
    `select 1 from memberships m join partners p on p.id = m.partner_id
     where m.program_id = $1 and m.partner_id = $2 and not p.is_test`,
    [programId, partnerId],
  );
  return rows.length > 0;
}

// A partner who was never moved is in the default group.
const STANDING = `
  select m.partner_id as "partnerId", g.id as "groupId", g.name as "groupName"
  from memberships m join partners p on p.id = m.partner_id and not p.is_test
  join partner_groups g on g.program_id = m.program_id
    and (g.id = m.group_id or m.group_id is null and g.is_default)`;

type Standing = { partnerId: number; groupId: number; groupName: string };

/** The group that a partner is in. */
export async function findStanding(db: Queryable, programId: number, partnerId: number): Promise<Standing | null> {
  const [row] = await db.query<Standing>(`${STANDING} where m.program_id = $1 and m.partner_id = $2`, [
    programId,
    partnerId,
  ]);
  return row ?? null;
}

/** The partners whom a partner recruited, with their groups. */
export function listRecruits(db: Queryable, programId: number, recruiterId: number): Promise<Standing[]> {
  return db.query<Standing>(`${STANDING} where m.program_id = $1 and m.recruiter_id = $2`, [programId, recruiterId]);
}
