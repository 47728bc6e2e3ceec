import { createClickPartitions } from '../clicks/click-partition-store.ts';
import type { Job } from './job.ts';

const MONTHS_AHEAD = 3;

export const createPartitions: Job = {
  name: 'create-partitions',
  everySeconds: 6 * 3600,
  async run(ctx) {
    const now = ctx.now();
    const months = Array.from(
      { length: MONTHS_AHEAD + 1 },
      (_, ahead) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1)),
    );
    await createClickPartitions(ctx.db, months);
    return null;
  },
};
