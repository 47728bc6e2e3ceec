import { findMissedResults, foldClickDeltas, foldResultDeltas, recountResults } from './count-store.ts';
import type { Job } from './job.ts';
import { tidyDeltas } from './tidy-store.ts';

export const foldCounts: Job = {
  name: 'fold-counts',
  everySeconds: 10,
  async run({ db, log }) {
    const folded = (await foldClickDeltas(db)) + (await foldResultDeltas(db));
    if (folded > 0 && db.kind === 'embedded') await tidyDeltas(db);
    const { missed, recounted } = await findMissedResults(db);
    if (missed === recounted) return null;
    log.warn({ missed: missed - recounted }, 'Leads and sales could not be counted by day; all are counted anew');
    await recountResults(db, missed);
    return 'Leads and sales were counted anew';
  },
};
