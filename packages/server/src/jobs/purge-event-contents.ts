import { deletePayloads } from '../payments/events/event-store.ts';
import { addDays } from '../time.ts';
import type { Job } from './job.ts';

/** Event contents hold personal data, so they are kept only for the `days` in which a finished event may have to be replayed. */
export function purgeEventContents(days: number): Job {
  return {
    name: 'purge-event-contents',
    everySeconds: 3_600,
    async run(ctx) {
      const count = await deletePayloads(ctx.db, addDays(ctx.now(), -days));
      return count === 0 ? null : `purged the contents of ${count} payment events`;
    },
  };
}
