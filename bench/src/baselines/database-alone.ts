import type { Db } from '@svc/server/db/db';
import type { Program } from '@svc/server/programs/program';
import { findProgram } from '@svc/server/programs/program-store';
import { recordSales } from '@svc/server/sales/record-sale';
import type { SaleAttempt } from '@svc/server/sales/sale';
import type { Fixtures } from '../fixtures.ts';
import { silentLog } from '../store.ts';

type Statement = { sql: string; params: unknown[] | undefined };
type Plan = { groupSize: number; firstBuyer: number; warmupSeconds: number; seconds: number };

export type DatabaseAlone = { perSecond: number; groupSize: number; written: number };

class Captured extends Error {}

/**
 * What the database can do alone: the statements for groups of sales, captured from the service's own code beforehand and
 * run one group after another, without HTTP, parsing or judging.
 */
export async function runDatabaseAlone(db: Db, fixtures: Fixtures, plan: Plan): Promise<DatabaseAlone> {
  const program = (await findProgram(db, fixtures.programId)) as Program;
  const groups: Statement[][] = [];
  for (let first = plan.firstBuyer; first + plan.groupSize <= fixtures.buyers; first += plan.groupSize) {
    groups.push(await captureGroup(db, program, first, plan.groupSize));
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

async function runFor(db: Db, groups: Statement[][], seconds: number): Promise<{ groups: number; seconds: number }> {
  const startedAt = performance.now();
  let done = 0;
  for (const statements of groups) {
    if (performance.now() - startedAt >= seconds * 1000) break;
    for (const { sql, params } of statements) await db.query(sql, params);
    done += 1;
  }
  return { groups: done, seconds: (performance.now() - startedAt) / 1000 };
}

/** Runs the service's verb to capture its statements: lookups run, the write is only recorded. */
async function captureGroup(db: Db, program: Program, first: number, size: number): Promise<Statement[]> {
  const statements: Statement[] = [];
  const capturing: Db = {
    ...db,
    async query<Row>(sql: string, params?: unknown[]): Promise<Row[]> {
      statements.push({ sql, params });
      if (sql.includes('insert into')) throw new Captured();
      return db.query<Row>(sql, params);
    },
  };
  const attempts = Array.from({ length: size }, (_, index) => attemptOf(program, first + index));
  try {
    await recordSales({ db: capturing, now: () => new Date(), log: silentLog }, attempts);
  } catch (error) {
    if (!(error instanceof Captured)) throw error;
  }
  return statements;
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
