import { foldClickDeltas, foldResultDeltas } from './count-store.ts';
import type { Job } from './job.ts';

export const foldCounts: Job = {
  name: 'fold-counts',
  everySeconds: 10,
  async run(ctx) {
    await foldClickDeltas(ctx.db);
    await foldResultDeltas(ctx.db);
    return null;
  },
};
