import { deleteOldCalls } from '../postbacks/call-store.ts';
import type { Job } from './job.ts';

/** Removes calls of postbacks that are no longer listed. */
export const purgePostbackCalls: Job = {
  name: 'purge-postback-calls',
  everySeconds: 3_600,
  async run(ctx) {
    const deleted = await deleteOldCalls(ctx.db);
    return deleted === 0 ? null : `deleted ${deleted} calls of postbacks`;
  },
};
