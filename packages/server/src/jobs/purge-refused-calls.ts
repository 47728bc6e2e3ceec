import { deleteRefusedCalls } from '../refusals/refused-call-store.ts';
import type { Job } from './job.ts';

const KEPT_DAYS = 30;

export const purgeRefusedCalls: Job = {
  name: 'purge-refused-calls',
  everySeconds: 3_600,
  async run(ctx) {
    const deleted = await deleteRefusedCalls(ctx.db, new Date(ctx.now().getTime() - KEPT_DAYS * 86_400_000));
    return deleted === 0 ? null : `deleted ${deleted} counts of refused calls`;
  },
};
