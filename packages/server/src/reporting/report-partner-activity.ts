import type { Context } from '../context.ts';
import { addDays, DAY_MS } from '../time.ts';
import { findPartnerActivity, type PartnerActivity } from './partner-activity-store.ts';

const DAYS = 30;
const NONE: PartnerActivity = { clicks: 0, leads: 0, sales: 0 };

/** What each partner brought in over the last 30 UTC days, including today. */
export async function reportPartnerActivity(
  ctx: Context,
  programId: number,
  partnerIds: number[],
): Promise<(partnerId: number) => PartnerActivity> {
  const today = new Date(Math.floor(ctx.now().getTime() / DAY_MS) * DAY_MS);
  const rows = await findPartnerActivity(ctx.db, programId, partnerIds, addDays(today, 1 - DAYS));
  const byPartner = new Map(rows.map(({ partnerId, ...numbers }) => [partnerId, numbers]));
  return (partnerId) => byPartner.get(partnerId) ?? NONE;
}
