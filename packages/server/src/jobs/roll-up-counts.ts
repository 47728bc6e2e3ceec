import type { Db } from '../db/db.ts';
import { vacuumDeltas } from '../db/engines/vacuum.ts';
import { rollUpDeltas } from '../rollups/count-store.ts';
import { listDueRecounts, recountDay } from '../rollups/recount-store.ts';
import type { Job } from './job.ts';

/** Adds what happened to the counts that reports read. Reports include what it has not added yet. */
export const rollUpCounts: Job = {
  name: 'roll-up-counts',
  everySeconds: 10,
  async run({ db, log }) {
    const due = await listDueRecounts(db);
    if (due.length > 0)
      log.warn({ days: due.length }, 'Some leads or sales were not counted; counting their days again');
    for (const day of due) await recountDay(db, day);
    await rollUpAll(db);
    return due.length > 0 ? `counted the results of ${due.length} days again` : null;
  },
};

async function rollUpAll(db: Db): Promise<void> {
  let { added, hasMore } = await rollUpDeltas(db);
  const isVacuumed = added > 0 && db.kind === 'embedded';
  while (hasMore) ({ hasMore } = await rollUpDeltas(db));
  if (isVacuumed) await vacuumDeltas(db);
}
