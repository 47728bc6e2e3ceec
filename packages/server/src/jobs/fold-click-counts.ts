import { foldClickDeltas } from './click-count-store.ts';
import type { Job } from './job.ts';

export const foldClickCounts: Job = {
  name: 'fold-click-counts',
  everySeconds: 10,
  async run(ctx) {
    await foldClickDeltas(ctx.db);
    return null;
  },
};
