import type { Context } from '../../context.ts';
import { EVERYONE } from '../../db/lists/list-query.ts';
import type { Read, ReportReader } from '../../db/report-reader.ts';
import { findBalanceTotals } from '../../payouts/balance-list-store.ts';
import { type ListedProgram, listPrograms } from '../../programs/program-store.ts';
import { addDays } from '../../time.ts';
import { type Numbers, sumRows } from '../performance.ts';
import { findPerformance } from '../performance-store.ts';
import { wholeHours } from '../report-performance.ts';
import { listWaiting } from './workspace-store.ts';

const DAYS = 30;
/** How many programs are read at once, so that a large workspace leaves connections to others. */
const AT_ONCE = 3;

export type ReportedProgram = {
  program: ListedProgram;
  partners: number;
  applications: number;
  openAlerts: number;
  balances: Awaited<ReturnType<typeof findBalanceTotals>>['totals'];
  numbers: Numbers;
};

/** What is going on in each program of a workspace: by name, archived ones last. Only the results may be behind. */
export async function reportWorkspace(
  ctx: Context & { reports: ReportReader },
  workspaceId: number,
): Promise<Read<ReportedProgram[]>> {
  const programs = (await listPrograms(ctx.db, workspaceId)).sort(byName);
  const waiting = await listWaiting(
    ctx.db,
    programs.map(({ id }) => id),
  );
  const now = ctx.now();
  const period = wholeHours({ from: addDays(now, -DAYS), to: now });
  const balances = await readEach(programs, ({ id }) =>
    findBalanceTotals(ctx.db, { programId: id, partnerId: EVERYONE }, {}),
  );
  const { result: numbers, behindSeconds } = await ctx.reports.read((db) =>
    readEach(programs, ({ id }) => findPerformance(db, id, period, { partnerId: null, linkId: null }, 'total')),
  );
  const result = programs.map((program) => {
    const { id, partners } = program;
    const { applications = 0, openAlerts = 0 } = waiting.find(({ programId }) => programId === id) ?? {};
    const { totals = [] } = balances.get(id) ?? {};
    return { program, partners, applications, openAlerts, balances: totals, numbers: sumRows(numbers.get(id) ?? []) };
  });
  return { result, behindSeconds };
}

/** What is read for each program, by its id. */
async function readEach<Result>(
  programs: ListedProgram[],
  read: (program: ListedProgram) => Promise<Result>,
): Promise<Map<number, Result>> {
  const results = new Map<number, Result>();
  for (let start = 0; start < programs.length; start += AT_ONCE) {
    const some = programs.slice(start, start + AT_ONCE);
    await Promise.all(some.map(async (program) => results.set(program.id, await read(program))));
  }
  return results;
}

function byName(one: ListedProgram, other: ListedProgram): number {
  const isLater = (program: ListedProgram) => Number(program.status === 'archived');
  return isLater(one) - isLater(other) || one.name.localeCompare(other.name, 'en') || one.id - other.id;
}
