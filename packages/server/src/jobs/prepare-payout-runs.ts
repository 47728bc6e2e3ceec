import { prepareScheduledRuns } from '../payout-runs/prepare-scheduled-runs.ts';
import type { Job } from './job.ts';

const NAME = 'prepare-payout-runs';

export const preparePayoutRuns: Job = {
  name: NAME,
  everySeconds: 300,
  async run(ctx) {
    const made = await prepareScheduledRuns(ctx, NAME);
    return made === 0 ? null : `prepared ${made} payout runs`;
  },
};
