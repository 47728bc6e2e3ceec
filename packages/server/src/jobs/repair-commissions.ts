import type { Context } from '../context.ts';
import { listDueRepairs } from '../sales/repair/owed-commission-store.ts';
import { repairCommission } from '../sales/repair/repair-commission.ts';
import { nextRepairAt } from '../sales/repair/repair-schedule.ts';
import { updateRepairFailed } from '../sales/sale-store.ts';
import type { Job } from './job.ts';

const BATCH = 100;

type Counts = { created: number; tooLarge: number; failed: number; gaveUp: number; firstError?: unknown };

export const repairCommissions: Job = {
  name: 'repair-commissions',
  everySeconds: 60,
  async run(ctx) {
    const counts: Counts = { created: 0, tooLarge: 0, failed: 0, gaveUp: 0 };
    const now = ctx.now();
    // An attempt leaves the list, whether it succeeds or not, so the list ends.
    for (;;) {
      const due = await listDueRepairs(ctx.db, now, BATCH);
      for (const sale of due) await repair(ctx, sale, now, counts);
      if (due.length < BATCH) break;
    }
    return summarize(ctx, counts);
  },
};

/** Attempts one repair. A commission that cannot be created yet must not hold up the others. */
async function repair(ctx: Context, sale: { id: number; attempts: number }, now: Date, counts: Counts): Promise<void> {
  const outcome = await repairCommission(ctx, sale.id).catch((error: unknown) => ({ is: 'failed' as const, error }));
  if (outcome.is === 'repaired') counts.created += 1;
  if (outcome.is === 'commission_too_large') counts.tooLarge += 1;
  if (outcome.is !== 'failed' && outcome.is !== 'partner_missing') return;
  const nextAt = nextRepairAt(sale.attempts + 1, now);
  await updateRepairFailed(ctx.db, sale.id, nextAt);
  counts.failed += 1;
  if (nextAt === null) counts.gaveUp += 1;
  if (outcome.is === 'failed') counts.firstError ??= outcome.error;
}

/** One line for the whole run, however many sales failed. */
function summarize(ctx: Context, { firstError, ...counts }: Counts): string | null {
  const { created, tooLarge, failed } = counts;
  if (failed > 0) {
    ctx.log.error(
      { err: firstError, job: repairCommissions.name, ...counts },
      'Some owed commissions could not be created. They are retried with exponential backoff, except those given up: ' +
        'see svc-server list-owed',
    );
    return null;
  }
  if (created + tooLarge === 0) return null;
  return tooLarge === 0
    ? `created ${created} owed commissions`
    : `created ${created} owed commissions; ${tooLarge} are too large to be created`;
}
