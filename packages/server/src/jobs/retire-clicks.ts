import { archiveMonth } from '../archive/archive-month.ts';
import { findUnvisitedMonth, insertRetiredMonth, noteVisitorsRemoved } from '../archive/archive-store.ts';
import { clickMonthsBefore, deleteStrayClicks, retireClickMonth } from '../clicks/click-partition-store.ts';
import type { Context } from '../context.ts';
import { deleteIdleVisitors } from '../customers/idle-visitor-store.ts';
import { type Rest, withoutRest } from '../db/rest.ts';
import { retryWhileLocked } from '../db/retry-on-conflict.ts';
import { findLongestWindow } from '../programs/program-store.ts';
import { addDays } from '../time.ts';
import type { Job } from './job.ts';

export type ClickRetention = { months: number; action: 'drop' | 'detach' | 'archive' };

const DONE = { drop: 'dropped', detach: 'detached', archive: 'archived' };
const VISITORS_AT_ONCE = 2_000;

/**
 * Removes clicks a whole month at a time once the month is past the retention period, and with them visitors who never did
 * anything else. Reports keep their counts, which are stored per hour, separately from the clicks.
 */
export function retireClicks({ months, action }: ClickRetention): Job {
  return {
    name: 'retire-clicks',
    everySeconds: 6 * 3_600,
    // Clicks keep nine tenths of their rate while a month is archived.
    rests: 9,
    async run(ctx, rest = withoutRest) {
      const now = ctx.now();
      const keptFrom = startOfMonth(await earliestNeeded(ctx, monthsBefore(now, months)));
      const expired = await clickMonthsBefore(ctx.db, keptFrom);
      for (const month of expired) await retireMonth(ctx, month, action, rest);
      // Months without a partition have no files either, so their clicks stay where the others are archived.
      const strays = action === 'archive' ? 0 : await deleteStrayClicks(ctx.db, keptFrom);
      const visitors = await removeIdleVisitors(ctx, keptFrom, rest);
      if (expired.length + strays + visitors === 0) return null;
      const others = strays > 0 ? `; ${strays} clicks of other months deleted` : '';
      return `${DONE[action]} ${expired.join(', ') || 'no month'}${others}; ${visitors} visitors who did nothing else removed`;
    },
  };
}

const monthsBefore = (time: Date, months: number) =>
  new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() - months, 1));
const startOfMonth = (time: Date) => monthsBefore(time, 0);

/** Where the last click is credited, clicks decide for as long as the windows of a program last. */
async function earliestNeeded({ db, now }: Context, keptFrom: Date): Promise<Date> {
  const decidingFrom = addDays(now(), -(await findLongestWindow(db)));
  return decidingFrom < keptFrom ? decidingFrom : keptFrom;
}

async function retireMonth(ctx: Context, month: string, action: ClickRetention['action'], rest: Rest): Promise<void> {
  if (action === 'archive') {
    if (!ctx.archive) throw new Error('There is no place for the archive');
    await archiveMonth(ctx, ctx.archive, month, rest);
    return;
  }
  const retire = () =>
    ctx.db.transaction(async (tx) => {
      await retireClickMonth(tx, month, action);
      await insertRetiredMonth(tx, { month, files: null }, ctx.now());
    });
  await retryWhileLocked(retire, rest);
}

/** Looks at all visitors once after a month was retired. What was interrupted starts over. */
async function removeIdleVisitors(ctx: Context, clickedBefore: Date, rest: Rest): Promise<number> {
  const until = await findUnvisitedMonth(ctx.db);
  if (until === null) return 0;
  let removed = 0;
  for (let afterId = 0; ; ) {
    const slice = { afterId, limit: VISITORS_AT_ONCE, clickedBefore, now: ctx.now() };
    const { lastId, removed: count } = await deleteIdleVisitors(ctx.db, slice);
    removed += count;
    if (lastId === null) break;
    afterId = lastId;
    await rest();
  }
  await noteVisitorsRemoved(ctx.db, until, ctx.now());
  return removed;
}
