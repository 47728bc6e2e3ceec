import { eraseArchivedClicks } from '../archive/erase-archived-clicks.ts';
import { type Job, withoutRest } from './job.ts';

/** Clears what archived clicks say about people who were erased since. */
export const eraseArchived: Job = {
  name: 'erase-archived-clicks',
  everySeconds: 600,
  rests: 9,
  async run(ctx, rest = withoutRest) {
    const files = ctx.archive ? await eraseArchivedClicks(ctx, ctx.archive, rest) : 0;
    return files === 0 ? null : `cleared erased people in ${files} files of the archive`;
  },
};
