import { vacuumStore } from '../db/engines/vacuum.ts';
import type { Job } from './job.ts';

export const vacuumEmbeddedStore: Job = {
  name: 'vacuum-embedded-store',
  everySeconds: 3600,
  async run(ctx) {
    if (ctx.db.kind === 'embedded') await vacuumStore(ctx.db);
    return null;
  },
};
