import { deleteDecisionsBefore, deleteRefusalsBefore } from '../decisions/decision-store.ts';
import { addDays } from '../time.ts';
import type { Job } from './job.ts';

/** Decisions that changed nothing are useful only while someone may still ask about them. */
const REFUSAL_DAYS = 30;
const BATCH = 1_000;
/** What is left after this many batches waits for the next run, so that one run never takes long. */
const MAX_BATCHES = 200;

/**
 * Removes decisions once they are older than `days`, and refused and repeated attempts after 30 days. Sales, refunds and
 * commissions stay.
 */
export function purgeDecisions(days: number): Job {
  return {
    name: 'purge-decisions',
    everySeconds: 3_600,
    async run(ctx) {
      const now = ctx.now();
      const refusals = await inBatches((limit) =>
        deleteRefusalsBefore(ctx.db, addDays(now, -Math.min(REFUSAL_DAYS, days)), limit),
      );
      const decisions = await inBatches((limit) => deleteDecisionsBefore(ctx.db, addDays(now, -days), limit));
      return refusals + decisions === 0 ? null : `purged ${refusals} refused and ${decisions} older decisions`;
    },
  };
}

async function inBatches(deleteSome: (limit: number) => Promise<number>): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const count = await deleteSome(BATCH);
    total += count;
    if (count < BATCH) break;
  }
  return total;
}
