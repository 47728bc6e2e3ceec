import type { Context } from '../context.ts';
import { findPartnerActivity, type PartnerActivity } from './partner-activity-store.ts';

const DAY_MS = 86_400_000;
const DAYS = 30;
const NONE: PartnerActivity = { clicks: 0, leads: 0, sales: 0 };

/** What partners brought in over the last thirty days, today included; days are those of UTC. */
export async function reportPartnerActivity(
  ctx: Context,
  programId: number,
  partnerIds: number[],
): Promise<(partnerId: number) => PartnerActivity> {
  const today = Math.floor(ctx.now().getTime() / DAY_MS) * DAY_MS;
  const rows = await findPartnerActivity(ctx.db, programId, partnerIds, new Date(today - (DAYS - 1) * DAY_MS));
  const byPartner = new Map(rows.map(({ partnerId, ...numbers }) => [partnerId, numbers]));
  return (partnerId) => byPartner.get(partnerId) ?? NONE;
}
