import { deletePayloads } from '../payments/event-store.ts';
import type { Job } from './job.ts';

const RETENTION_DAYS = 30;

/** Event contents hold personal data, so they are kept only as long as a finished event may have to be replayed. */
export const purgeEventContents: Job = {
  name: 'purge-event-contents',
  everySeconds: 3_600,
  async run(ctx) {
    const before = new Date(ctx.now().getTime() - RETENTION_DAYS * 86_400_000);
    const count = await deletePayloads(ctx.db, before);
    return count === 0 ? null : `purged the contents of ${count} payment events`;
  },
};
