import { vacuumDeltas } from '../db/vacuum.ts';
import { findMissedResults, rebuildResults, rollUpClicks, rollUpResults } from '../rollups/rollup-store.ts';
import type { Job } from './job.ts';

export const rollUpCounts: Job = {
  name: 'roll-up-counts',
  everySeconds: 10,
  async run({ db, log }) {
    const folded = (await rollUpClicks(db)) + (await rollUpResults(db));
    if (folded > 0 && db.kind === 'embedded') await vacuumDeltas(db);
    const { missed, recounted } = await findMissedResults(db);
    if (missed === recounted) return null;
    log.warn({ missed: missed - recounted }, 'Leads and sales could not be counted by day; all are counted anew');
    await rebuildResults(db, missed);
    return 'Leads and sales were counted anew';
  },
};
