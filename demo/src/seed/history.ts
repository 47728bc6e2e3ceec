import type { Context } from '@svc/server/context';
import { rollUpCounts } from '@svc/server/jobs/roll-up-counts';
import { rollUpFacets, rollUpNewClicks } from '@svc/server/jobs/roll-up-facets';
import { countRows } from '@svc/testkit';
import { seedMoney } from './money.ts';
import { type History, seedVisits } from './visits.ts';

/** Adds the visits, sales, commissions and payouts of a period to programs with links, in bulk, and rolls up their counts. */
export async function seedHistory(ctx: Context, history: History, print: (line: string) => void): Promise<void> {
  await seedMoney(ctx.db, history, await seedVisits(ctx.db, history, print), print);
  print('rolling up counts');
  await countRows(ctx.db);
  await rollUpCounts.run(ctx);
  await rollUpFacets.run(ctx);
  await rollUpNewClicks(ctx.db, history.now);
}
