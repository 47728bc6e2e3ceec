import type { Job } from './job.ts';
import { tidyStore } from './tidy-store.ts';

export const tidyEmbeddedStore: Job = {
  name: 'tidy-embedded-store',
  everySeconds: 3600,
  async run(ctx) {
    if (ctx.db.kind === 'embedded') await tidyStore(ctx.db);
    return null;
  },
};
