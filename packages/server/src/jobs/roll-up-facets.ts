import type { Context } from '../context.ts';
import type { Db } from '../db/db.ts';
import { withoutRest } from '../db/rest.ts';
import {
  listDifferentClickDays,
  listProgramsWithNewClicks,
  rebuildClickFacetDay,
  rollUpClickFacets,
  updateComparedUntil,
} from '../rollups/click-facet-store.ts';
import { countResultsByFacet } from '../rollups/count-results-by-facet.ts';
import { listDueFacetDays, noteIncompleteDays } from '../rollups/result-facet-store.ts';
import type { Job } from './job.ts';

/** A click is counted by facet once every node has surely written it. */
const SETTLED_AFTER_MS = 60_000;
/** When the clicks of a day are compared with their other counts: after they are counted and the deltas rolled up. */
const COMPARED_AFTER_MS = 10 * 60_000;
const RUNS_AT_ONCE = 100;

/** Counts clicks and results by landing page, referrer, device, country and campaign, for the breakdowns of reports. */
export const rollUpFacets: Job = {
  name: 'roll-up-facets',
  everySeconds: 30,
  rests: 20,
  async run({ db, now }, rest = withoutRest) {
    const until = new Date(now().getTime() - SETTLED_AFTER_MS);
    await rollUpNewClicks(db, until, rest);
    await noteIncompleteDays(db);
    for (let due = await listDueFacetDays(db, RUNS_AT_ONCE); due.length > 0; ) {
      for (const days of due) await countResultsByFacet(db, days, rest);
      due = due.length < RUNS_AT_ONCE ? [] : await listDueFacetDays(db, RUNS_AT_ONCE);
    }
    return compareClicks({ db, now });
  },
};

/** Counts all clicks before `until` by facet. */
export async function rollUpNewClicks(db: Db, until: Date, rest = withoutRest): Promise<void> {
  for (const programId of await listProgramsWithNewClicks(db, until)) {
    while (await rollUpClickFacets(db, programId, until)) await rest();
  }
}

/** A click that was written late is missing; its day is counted again. */
async function compareClicks({ db, now }: Pick<Context, 'db' | 'now'>): Promise<string | null> {
  const today = new Date(now().getTime() - COMPARED_AFTER_MS).toISOString().slice(0, 10);
  const different = await listDifferentClickDays(db, today);
  for (const day of different) await rebuildClickFacetDay(db, day);
  await updateComparedUntil(db, today);
  return different.length > 0 ? `counted the clicks of ${different.length} days by facet again` : null;
}
