import { jobActor } from '../audit/audit-store.ts';
import { approveEndedHolds } from '../commissions/review-holds.ts';
import type { Job } from './job.ts';

const NAME = 'approve-commissions';
const BATCH = 1_000;

export const approveCommissions: Job = {
  name: NAME,
  everySeconds: 60,
  async run(ctx) {
    let approved = 0;
    for (;;) {
      const count = await approveEndedHolds(ctx, BATCH, jobActor(NAME));
      approved += count;
      if (count < BATCH) break;
    }
    return approved === 0 ? null : `approved ${approved} commissions whose hold has ended`;
  },
};
