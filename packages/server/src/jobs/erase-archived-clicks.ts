import { listArchivedErasures } from '../archive/archive-store.ts';
import { eraseArchivedClicks } from '../archive/erase-archived-clicks.ts';
import { withoutRest } from '../db/rest.ts';
import type { Job } from './job.ts';

/** Clears what archived clicks say about people who were erased since. */
export const eraseArchived: Job = {
  name: 'erase-archived-clicks',
  everySeconds: 600,
  rests: 9,
  async run(ctx, rest = withoutRest) {
    if (!ctx.archive) {
      const months = await listArchivedErasures(ctx.db);
      if (months.length > 0)
        ctx.log.warn({ months: months.length }, 'Erased people are still in the archive. Set SVC_ARCHIVE');
      return null;
    }
    const files = await eraseArchivedClicks(ctx, ctx.archive, rest);
    return files === 0 ? null : `cleared erased people in ${files} files of the archive`;
  },
};
