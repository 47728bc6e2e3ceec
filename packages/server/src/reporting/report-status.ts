import type { Context } from '../context.ts';
import type { Program } from '../programs/program.ts';
import { judgeReadiness } from './readiness.ts';
import { findSignals } from './readiness-facts-store.ts';
import { findStatusCounts } from './status-store.ts';

/** A program's health in a few numbers. */
export async function reportStatus(ctx: Context, program: Program) {
  const [signals, counts] = await Promise.all([
    findSignals(ctx.db, program.id, ctx.now()),
    findStatusCounts(ctx.db, program.id),
  ]);
  return {
    signals,
    counts,
    readiness: judgeReadiness(program, signals).state,
  };
}
