import type { Context } from '../../context.ts';
import type { Queryable, Transaction } from '../../db/db.ts';
import { announce } from '../../outbox/announce.ts';
import { readRows } from '../../outbox/outbox-store.ts';
import { findProgramForUpdate } from '../../programs/program-store.ts';
import { PARTNER_ROWS } from '../partner-list-store.ts';
import { listGroups } from './group-store.ts';
import { updatePlacements } from './placement-store.ts';
import { dayOf, daysBetween, groupReached, tiersOf } from './tier.ts';
import { listDueTiers, listStandings, updateTierDay } from './tier-store.ts';

/** A service that was down for longer starts again with today. */
const MAX_MISSED_DAYS = 62;

/** Counts the tiers of every program up to today, day by day. Returns how many partners moved. */
export async function applyTiers(ctx: Context): Promise<number> {
  const today = dayOf(ctx.now());
  let moved = 0;
  for (const { programId, day } of await listDueTiers(ctx.db, today)) {
    const days = daysBetween(day, today).slice(-MAX_MISSED_DAYS);
    for (const each of days) moved += await ctx.db.transaction((tx) => applyDay(ctx, tx, programId, each));
  }
  return moved;
}

/** Moves partners into the groups that they reached before the day. The move holds from the start of the day. */
async function applyDay(ctx: Context, tx: Transaction, programId: number, day: string): Promise<number> {
  if (!(await findProgramForUpdate(tx, programId)) || !(await updateTierDay(tx, programId, day))) return 0;
  const tiers = tiersOf(await listGroups(tx, programId));
  const [first] = tiers;
  if (!first) return 0;
  const standings = await listStandings(tx, programId, first.tier, day);
  const moved = standings.flatMap(({ counted, ...standing }) => {
    const groupId = groupReached(tiers, counted);
    const placed = { ...standing, groupId, groupBy: 'tier' as const, tierDay: day, tierCounted: counted };
    return groupId === standing.groupId ? [] : [placed];
  });
  const before = await readRows(
    tx,
    PARTNER_ROWS,
    moved.map(({ partnerId: id }) => ({ programId, id })),
  );
  await updatePlacements(tx, programId, moved, new Date(day));
  const events = moved.map(({ partnerId: id }) => {
    return { type: 'partner.changed' as const, programId, id, before: before.get(id) };
  });
  announce(ctx, tx, [{ rows: PARTNER_ROWS, events }]);
  return moved.length;
}

/** The group that the tiers give a partner today; null for the default one. */
export async function readTierGroup(
  db: Queryable,
  programId: number,
  partnerId: number,
  now: Date,
): Promise<number | null> {
  const tiers = tiersOf(await listGroups(db, programId));
  const [first] = tiers;
  if (!first) return null;
  const [standing] = await listStandings(db, programId, first.tier, dayOf(now), partnerId);
  return standing ? groupReached(tiers, standing.counted) : null;
}
