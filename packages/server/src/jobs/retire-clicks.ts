import { clickMonthsBefore, deleteStrayClicks, retireClickMonth } from '../clicks/click-partition-store.ts';
import type { Job } from './job.ts';

export type ClickRetention = { months: number; action: 'drop' | 'detach' };

/**
 * Takes clicks away once a whole month of them is older than they are kept. Their counts stay in the reports: these are
 * kept by the hour, apart from the clicks.
 */
export function retireClicks({ months, action }: ClickRetention): Job {
  return {
    name: 'retire-clicks',
    everySeconds: 6 * 3_600,
    async run(ctx) {
      const now = ctx.now();
      const keptFrom = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1));
      const old = await clickMonthsBefore(ctx.db, keptFrom);
      for (const partition of old) await retireClickMonth(ctx.db, partition, action);
      const strays = await deleteStrayClicks(ctx.db, keptFrom);
      if (old.length + strays === 0) return null;
      return `${action === 'drop' ? 'dropped' : 'detached'} ${old.join(', ') || 'no month'}; ${strays} clicks of other months deleted`;
    },
  };
}
