import { withoutRest } from '../db/rest.ts';
import { prepareScheduledRuns } from '../payout-runs/prepare-scheduled-runs.ts';
import type { Job } from './job.ts';

const NAME = 'prepare-payout-runs';

export const preparePayoutRuns: Job = {
  name: NAME,
  everySeconds: 60,
  // Nobody waits for it.
  rests: 9,
  async run(ctx, rest = withoutRest) {
    const made = await prepareScheduledRuns(ctx, NAME, rest);
    return made === 0 ? null : `prepared ${made} payout runs`;
  },
};
