import { foldClickDeltas, foldResultDeltas, tidyDeltas } from './count-store.ts';
import type { Job } from './job.ts';

export const foldCounts: Job = {
  name: 'fold-counts',
  everySeconds: 10,
  async run(ctx) {
    const folded = (await foldClickDeltas(ctx.db)) + (await foldResultDeltas(ctx.db));
    if (folded > 0) await tidyDeltas(ctx.db);
    return null;
  },
};
