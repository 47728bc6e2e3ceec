import type { Context } from '../../context.ts';
import { EVERYONE } from '../../db/lists/list-query.ts';
import { findBalanceTotals } from '../../payouts/balance-list-store.ts';
import { type ListedProgram, listPrograms } from '../../programs/program-store.ts';
import { addDays } from '../../time.ts';
import { type Numbers, sumRows } from '../performance.ts';
import { findPerformance } from '../performance-store.ts';
import { wholeHours } from '../report-performance.ts';
import { listWaiting } from './workspace-store.ts';

const DAYS = 30;

export type ReportedProgram = {
  program: ListedProgram;
  partners: number;
  applications: number;
  openAlerts: number;
  balances: Awaited<ReturnType<typeof findBalanceTotals>>['totals'];
  numbers: Numbers;
};

/** What is going on in each program of a workspace: by name, archived ones last. */
export async function reportWorkspace(ctx: Context, workspaceId: number): Promise<ReportedProgram[]> {
  const programs = (await listPrograms(ctx.db, workspaceId)).sort(byName);
  const waiting = await listWaiting(
    ctx.db,
    programs.map(({ id }) => id),
  );
  const now = ctx.now();
  const period = wholeHours({ from: addDays(now, -DAYS), to: now });
  return Promise.all(
    programs.map(async (program) => {
      const [balances, rows] = await Promise.all([
        findBalanceTotals(ctx.db, { programId: program.id, partnerId: EVERYONE }, {}),
        findPerformance(ctx.db, program.id, period, { partnerId: null, linkId: null }, 'total'),
      ]);
      const { applications = 0, openAlerts = 0 } = waiting.find(({ programId }) => programId === program.id) ?? {};
      const { partners } = program;
      return { program, partners, applications, openAlerts, balances: balances.totals, numbers: sumRows(rows) };
    }),
  );
}

function byName(one: ListedProgram, other: ListedProgram): number {
  const isLater = (program: ListedProgram) => Number(program.status === 'archived');
  return isLater(one) - isLater(other) || one.name.localeCompare(other.name, 'en') || one.id - other.id;
}
