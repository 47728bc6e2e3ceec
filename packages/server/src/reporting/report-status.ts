import type { Context } from '../context.ts';
import { findProcessor } from '../programs/processor-store.ts';
import type { Program } from '../programs/program.ts';
import { judgeReadiness } from './readiness.ts';
import { findSignals } from './signal-store.ts';
import { findStatusCounts } from './status-store.ts';

/** The health of a program in a few numbers. */
export async function reportStatus(ctx: Context, program: Program) {
  const [signals, counts, processor] = await Promise.all([
    findSignals(ctx.db, program.id, ctx.now()),
    findStatusCounts(ctx.db, program.id),
    findProcessor(ctx.db, program.id),
  ]);
  return {
    signals,
    counts,
    isProcessorConnected: processor !== null,
    readiness: judgeReadiness(program, signals).state,
  };
}
