import { deleteFeedEventsBefore } from '../feed/feed-store.ts';
import { addDays } from '../time.ts';
import type { Job } from './job.ts';

const BATCH = 1_000;
/** What is left after this many batches waits for the next run, so that one run never takes long. */
const MAX_BATCHES = 200;

/** Removes events of the feed once they are older than `days`. Readers who come later are told what the oldest is. */
export function purgeFeed(days: number): Job {
  return {
    name: 'purge-feed',
    everySeconds: 3_600,
    async run(ctx) {
      const before = addDays(ctx.now(), -days);
      let total = 0;
      for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
        const count = await deleteFeedEventsBefore(ctx.db, before, BATCH);
        total += count;
        if (count === 0) break;
      }
      return total === 0 ? null : `purged ${total} events of the feed`;
    },
  };
}
