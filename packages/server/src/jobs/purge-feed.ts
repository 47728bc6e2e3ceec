import { deleteFeedEventsBefore } from '../feed/feed-store.ts';
import { addDays } from '../time.ts';
import { deleteDeliveriesBefore, updateExpired } from '../webhooks/delivery-store.ts';
import type { Job } from './job.ts';

const BATCH = 1_000;
/** What is left after this many batches waits for the next run, so that one run never takes long. */
const MAX_BATCHES = 200;

/**
 * Removes events of the feed and deliveries once they are older than `days`. Readers who come later are told what the oldest
 * event is. A delivery that is still to be made when its event is removed fails with a sentence, and is kept as long again.
 */
export function purgeFeed(days: number): Job {
  return {
    name: 'purge-feed',
    everySeconds: 3_600,
    async run({ db, now }) {
      const before = addDays(now(), -days);
      await inBatches(() => updateExpired(db, before, now(), BATCH));
      const events = await inBatches(() => deleteFeedEventsBefore(db, before, BATCH));
      const deliveries = await inBatches(() => deleteDeliveriesBefore(db, before, BATCH));
      return events + deliveries === 0 ? null : `purged ${events} events of the feed and ${deliveries} deliveries`;
    },
  };
}

async function inBatches(work: () => Promise<number>): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const count = await work();
    total += count;
    if (count === 0) break;
  }
  return total;
}
