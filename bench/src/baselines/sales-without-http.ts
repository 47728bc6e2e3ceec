import type { Db } from '@svc/server/db/db';
import type { Program } from '@svc/server/programs/program';
import { findProgram } from '@svc/server/programs/program-store';
import { recordSales } from '@svc/server/sales/record-sales';
import type { SaleAttempt } from '@svc/server/sales/sale';
import type { Fixtures } from '../fixtures.ts';
import { silentLog } from '../store.ts';

type Plan = { groupSize: number; firstBuyer: number; warmupSeconds: number; seconds: number };

export type WithoutHttp = { perSecond: number; groupSize: number; written: number };

/** What the store can do: the service's own code writes one full group of sales after another, without HTTP in front. */
export async function runSalesWithoutHttp(db: Db, fixtures: Fixtures, plan: Plan): Promise<WithoutHttp> {
  const program = (await findProgram(db, fixtures.programId)) as Program;
  const groups: SaleAttempt[][] = [];
  for (let first = plan.firstBuyer; first + plan.groupSize <= fixtures.buyers; first += plan.groupSize) {
    groups.push(Array.from({ length: plan.groupSize }, (_, index) => attemptOf(program, first + index)));
  }

  // The warm-up gets a fixed share of the groups, so that it cannot use up those to be measured.
  const warmupGroups = Math.floor((groups.length * plan.warmupSeconds) / (plan.warmupSeconds + plan.seconds));
  const warm = await runFor(db, groups.slice(0, warmupGroups), plan.warmupSeconds);
  const measured = await runFor(db, groups.slice(warmupGroups), plan.seconds);
  return {
    groupSize: plan.groupSize,
    perSecond: (measured.groups * plan.groupSize) / measured.seconds,
    written: (warm.groups + measured.groups) * plan.groupSize,
  };
}

async function runFor(db: Db, groups: SaleAttempt[][], seconds: number): Promise<{ groups: number; seconds: number }> {
  const startedAt = performance.now();
  let done = 0;
  for (const attempts of groups) {
    if (performance.now() - startedAt >= seconds * 1000) break;
    await recordSales({ db, now: () => new Date(), log: silentLog, emailSecret: 'bench' }, attempts);
    done += 1;
  }
  return { groups: done, seconds: (performance.now() - startedAt) / 1000 };
}

function attemptOf(program: Program, buyer: number): SaleAttempt {
  return {
    program,
    sale: {
      transactionId: `alone-${buyer}`,
      customerKey: `buyer-${buyer}`,
      clickId: undefined,
      amountCents: 4_900 + (buyer % 100),
      currency: 'USD',
      saleType: 'payment',
      isRecurring: false,
      isTest: false,
      source: 'api',
      requestId: `00000000-0000-4000-8000-${String(buyer).padStart(12, '0')}`,
    },
  };
}
