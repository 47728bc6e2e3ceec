import { vacuumDeltas } from '../db/engines/vacuum.ts';
import { rollUpClicks } from '../rollups/click-rollup-store.ts';
import {
  findMissedResults,
  listResultDays,
  rebuildResultDay,
  rollUpResults,
  updateRebuilt,
} from '../rollups/result-rollup-store.ts';
import type { Job } from './job.ts';

export const rollUpCounts: Job = {
  name: 'roll-up-counts',
  everySeconds: 10,
  async run({ db, log }) {
    const added = (await rollUpClicks(db)) + (await rollUpResults(db));
    if (added > 0 && db.kind === 'embedded') await vacuumDeltas(db);
    const { missed, rebuilt } = await findMissedResults(db);
    if (missed === rebuilt) return null;

    const days = await listResultDays(db);
    log.warn(
      { missed: missed - rebuilt, days: days.length },
      'Some leads or sales were not counted; rebuilding each day',
    );
    for (const day of days) await rebuildResultDay(db, day);
    await updateRebuilt(db, missed);
    return `rebuilt the counts of ${days.length} days`;
  },
};
