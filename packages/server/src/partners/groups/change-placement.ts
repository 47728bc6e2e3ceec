import { errors } from '@svc/contract';
import type { Queryable } from '../../db/db.ts';
import { readTierGroup } from './apply-tiers.ts';
import { lockGroup } from './group-store.ts';
import { findPlacement, hasMember, type Placement, updatePlacements } from './placement-store.ts';

/** What is asked for. Absent: no change. A group of null leaves the group to the tiers. */
export type NewPlacement = { groupId?: number | null | undefined; recruiterId?: number | null | undefined };

type Changed = { before: Record<string, unknown>; after: Record<string, unknown> };

/**
 * Moves a partner whose membership is locked to another group, or names who recruited them. Returns what changed, or null.
 * Payments made from now on are judged by it.
 */
export async function changePlacement(
  tx: Queryable,
  programId: number,
  partnerId: number,
  { groupId, recruiterId }: NewPlacement,
  now: Date,
): Promise<Changed | null> {
  const before = await findPlacement(tx, programId, partnerId);
  if (!before) throw errors.notFound();
  await checkPlacement(tx, programId, partnerId, { groupId, recruiterId });
  const after: Placement = {
    groupId:
      groupId === undefined
        ? before.groupId
        : groupId === null
          ? await readTierGroup(tx, programId, partnerId, now)
          : groupId,
    groupBy: groupId === undefined ? before.groupBy : groupId === null ? 'tier' : 'hand',
    recruiterId: recruiterId === undefined ? before.recruiterId : recruiterId,
  };
  const changed = changesBetween(before, after);
  if (changed) await updatePlacements(tx, programId, [{ ...after, partnerId }], now);
  return changed;
}

async function checkPlacement(
  tx: Queryable,
  programId: number,
  partnerId: number,
  { groupId, recruiterId }: NewPlacement,
): Promise<void> {
  if (groupId && !(await lockGroup(tx, programId, groupId, 'key share'))) throw errors.groupUnknown();
  if (recruiterId && (recruiterId === partnerId || !(await hasMember(tx, programId, recruiterId)))) {
    throw errors.recruiterUnknown();
  }
}

const NAMES = { groupId: 'group_id', groupBy: 'group_by', recruiterId: 'recruiter_id' } as const;

function changesBetween(before: Placement, after: Placement): Changed | null {
  const names = (Object.keys(NAMES) as (keyof Placement)[]).filter((name) => before[name] !== after[name]);
  if (names.length === 0) return null;
  const pick = (placement: Placement) => Object.fromEntries(names.map((name) => [NAMES[name], placement[name]]));
  return { before: pick(before), after: pick(after) };
}
