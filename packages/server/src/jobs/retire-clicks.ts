import { clickMonthsBefore, deleteStrayClicks, retireClickMonth } from '../clicks/click-partition-store.ts';
import type { Job } from './job.ts';

export type ClickRetention = { months: number; action: 'drop' | 'detach' };

/**
 * Removes clicks a whole month at a time once the month is past the retention period. Reports keep their counts, which are
 * stored per hour, separately from the clicks.
 */
export function retireClicks({ months, action }: ClickRetention): Job {
  return {
    name: 'retire-clicks',
    everySeconds: 6 * 3_600,
    async run(ctx) {
      const now = ctx.now();
      const keptFrom = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1));
      const expired = await clickMonthsBefore(ctx.db, keptFrom);
      for (const partition of expired) await retireClickMonth(ctx.db, partition, action);
      const strays = await deleteStrayClicks(ctx.db, keptFrom);
      if (expired.length + strays === 0) return null;
      return `${action === 'drop' ? 'dropped' : 'detached'} ${expired.join(', ') || 'no month'}; ${strays} clicks of other months deleted`;
    },
  };
}
