import type { Context } from '../context.ts';
import { findRecentNumbers, type RecentNumbers } from './recent-store.ts';

const DAY_MS = 86_400_000;
const DAYS = 30;
const NONE: RecentNumbers = { clicks: 0, leads: 0, sales: 0 };

/** What partners brought in over the last thirty days, today included; days are those of UTC. */
export async function reportRecent(
  ctx: Context,
  programId: number,
  partnerIds: number[],
): Promise<(partnerId: number) => RecentNumbers> {
  const today = Math.floor(ctx.now().getTime() / DAY_MS) * DAY_MS;
  const rows = await findRecentNumbers(ctx.db, programId, partnerIds, new Date(today - (DAYS - 1) * DAY_MS));
  const byPartner = new Map(rows.map(({ partnerId, ...numbers }) => [partnerId, numbers]));
  return (partnerId) => byPartner.get(partnerId) ?? NONE;
}
