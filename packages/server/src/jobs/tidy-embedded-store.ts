import type { Job } from './job.ts';

/** The embedded store has no background workers: what they would tidy up is tidied here. */
export const tidyEmbeddedStore: Job = {
  name: 'tidy-embedded-store',
  everySeconds: 3600,
  async run(ctx) {
    if (ctx.db.kind === 'embedded') await ctx.db.query('vacuum (analyze)');
    return null;
  },
};
