import { tidyStore } from './click-count-store.ts';
import type { Job } from './job.ts';

export const tidyEmbeddedStore: Job = {
  name: 'tidy-embedded-store',
  everySeconds: 3600,
  async run(ctx) {
    if (ctx.db.kind === 'embedded') await tidyStore(ctx.db);
    return null;
  },
};
