import { errors, MAX_AGED_SIGNUPS } from '@svc/contract';
import type { Context } from '../../context.ts';
import { addDays, DAY_MS } from '../../time.ts';
import { findAgedSignups } from './click-age-store.ts';
import { type ClickAges, sumClickAges } from './click-ages.ts';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 731;

export type ClickAgeReport = { from: Date; to: Date; isComplete: boolean; rows: ClickAges[] };

/** How old the first clicks of customers were when they signed up. */
export async function reportClickAges(
  ctx: Context,
  programId: number,
  { partnerId, ...period }: { from?: Date | undefined; to?: Date | undefined; partnerId: number | null },
): Promise<ClickAgeReport> {
  const to = period.to ?? ctx.now();
  const from = period.from ?? addDays(to, -DEFAULT_DAYS);
  if (from >= to) throw errors.periodReversed();
  if (to.getTime() - from.getTime() > MAX_DAYS * DAY_MS) throw errors.periodTooLong(MAX_DAYS);
  const found = await findAgedSignups(ctx.db, programId, { from, to, partnerId, limit: MAX_AGED_SIGNUPS });
  const rows = sumClickAges(found);
  const signups = rows.reduce((sum, row) => sum + row.signups, 0);
  return { from, to, isComplete: signups < MAX_AGED_SIGNUPS, rows };
}
